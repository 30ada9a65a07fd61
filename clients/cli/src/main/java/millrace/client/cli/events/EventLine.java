package millrace.client.cli.events;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import millrace.client.cli.output.Json;
import millrace.client.cli.output.Words;

/** An event on one line. */
final class EventLine {
    private EventLine() {}

    static String of(String type, JsonNode data) {
        String time = Words.time(data.path("occurred_at"));
        String what =
                switch (type) {
                    case "report" -> report(data.path("report"));
                    case "delivery" -> delivery(data.path("delivery"));
                    case "credits" -> credits(data.path("entry"));
                    case "balance_low" ->
                        Words.number(data.path("remaining")) + " credits left, fewer than "
                                + Words.number(data.path("threshold"));
                    case "data_version_available" -> version(data.path("data"));
                    case "reset" -> Json.text(data, "reason");
                    // Of a later version of the service.
                    default -> data.toString();
                };
        return (time.isEmpty() ? "" : time + "  ") + String.format(Locale.ROOT, "%-11s  %s", type, what);
    }

    static String report(JsonNode report) {
        String phase = Json.text(report, "phase");
        return Json.text(report, "report_id") + "  " + Json.text(report, "dataset") + "  " + Words.state(report)
                + (phase.isEmpty() ? "" : " " + phase)
                + (report.path("progress").isNumber()
                        ? " " + Words.percent(report.path("progress").asDouble())
                        : "")
                + (report.path("used_quota").isNumber()
                        ? "  " + Words.count(report.path("used_quota").asLong(), "credit")
                        : "")
                + (report.path("error").isObject() ? "  " + Json.text(report.path("error"), "message") : "");
    }

    private static String delivery(JsonNode delivery) {
        String answer = Json.text(delivery, "http_status");
        return Json.text(delivery, "report_id") + "." + Json.text(delivery, "sequence") + "  attempt "
                + Json.text(delivery, "attempt") + "  " + Json.text(delivery, "outcome")
                + (answer.isEmpty() ? "" : " " + answer)
                + (delivery.hasNonNull("error") ? "  " + Json.text(delivery, "error") : "")
                + (delivery.hasNonNull("next_attempt_at")
                        ? "  again at " + Words.time(delivery.path("next_attempt_at"))
                        : "")
                + (delivery.hasNonNull("held_until")
                        ? "  URL held until " + Words.time(delivery.path("held_until")) + " ("
                                + Json.text(delivery, "held_reason") + ")"
                        : "");
    }

    static String version(JsonNode version) {
        StringBuilder line = new StringBuilder(Json.text(version, "dataset"))
                .append("  version ")
                .append(Json.text(version, "version"))
                .append(' ')
                .append(Json.text(version, "change"));
        version.path("periods").properties().forEach(span -> line.append("  ")
                .append(span.getKey())
                .append(' ')
                .append(Json.text(span.getValue(), "first"))
                .append(" to ")
                .append(Json.text(span.getValue(), "last")));
        return line.toString();
    }

    private static String credits(JsonNode entry) {
        String report = Json.text(entry, "report_id");
        return Json.text(entry, "kind") + " " + Words.number(entry.path("amount")) + ", "
                + Words.number(entry.path("remaining")) + " left" + (report.isEmpty() ? "" : "  " + report);
    }
}
