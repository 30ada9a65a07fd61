package millrace.client.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import millrace.client.cli.api.Api;
import millrace.client.cli.api.Session;
import millrace.client.cli.api.Target;
import millrace.client.cli.output.Json;
import millrace.client.cli.output.Table;
import millrace.client.cli.output.Words;
import millrace.client.cli.session.ExitCodes;
import millrace.runtime.cli.CliException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace report}: reports that there are. */
@Command(name = "report", description = "Ask for reports, follow them, and download their files.")
public final class ReportCommands {
    private static final int PAGE = 20;
    private static final int LARGEST_PAGE = 100;

    private final Session session;

    public ReportCommands(Session session) {
        this.session = session;
    }

    /** The commands that have classes of their own. */
    public List<Object> others() {
        return List.of(new RunCommand(session), new DownloadCommand(session));
    }

    @Command(description = "Lists reports, newest first.", footer = "millrace report list --outcome failed --limit 5")
    int list(
            @Option(
                            names = "--status",
                            paramLabel = "<status>",
                            description = "Only processing, complete or internal_error.")
                    @Nullable
                    String status,
            @Option(names = "--outcome", paramLabel = "<outcome>", description = "Only completed, cancelled or failed.")
                    @Nullable
                    String outcome,
            @Option(names = "--dataset", paramLabel = "<dataset>", description = "Only of this dataset.") @Nullable
                    String dataset,
            @Option(
                            names = "--tag",
                            paramLabel = "<name>=<value>",
                            description = "Only with this tag; more of them with --tag again.")
                    @Nullable
                    Map<String, String> tags,
            @Option(names = "--name", paramLabel = "<text>", description = "Only whose names contain this.") @Nullable
                    String name,
            @Option(names = "--from", paramLabel = "<day>", description = "Submitted since then: a day or an instant.")
                    @Nullable
                    String from,
            @Option(names = "--to", paramLabel = "<day>", description = "Until then; the day counts, too.") @Nullable
                    String to,
            @Option(names = "--limit", paramLabel = "<n>", description = "At most so many [" + PAGE + "].") @Nullable
                    Integer limit,
            @Option(names = "--all", description = "All that the service knows.") boolean all)
            throws CliException, InterruptedException {
        int most = all ? Integer.MAX_VALUE : limit == null ? PAGE : limit;
        Map<String, String> allTags = tags == null ? Map.of() : tags;
        Target wanted = Target.batch("report-history")
                .with("status", status)
                .with("outcome", outcome)
                .with("dataset", dataset)
                .with("name", name)
                .with("from", from)
                .with("to", to);
        for (Map.Entry<String, String> tag : allTags.entrySet()) {
            wanted = wanted.with("tag", tag.getKey() + ":" + tag.getValue());
        }
        ArrayNode reports = session.api().list(wanted, "reports", LARGEST_PAGE, most);
        if (session.json()) {
            session.print(Json.object().set("reports", reports));
            return ExitCodes.DONE;
        }
        var table = new Table("report", "dataset", "status", "submitted (UTC)", ">rows", ">credits");
        for (JsonNode report : reports) {
            table.row(
                    Json.text(report, "report_id"),
                    Json.text(report, "dataset"),
                    status(report),
                    Words.time(report.path("submitted_at")),
                    Words.number(report.path("row_count")),
                    Words.number(report.path("used_quota")));
        }
        session.print(table, "there are no such reports");
        return ExitCodes.DONE;
    }

    @Command(
            description = "Shows a report: its status, price and file; if wanted, its request or its history.",
            footer = "millrace report show 845d6440-79d1-4125-964e-eaef0d6923e5 --timeline")
    int show(
            @Parameters(paramLabel = "<report id>") String report,
            @Option(names = "--request", description = "Its request as JSON, as it was accepted.") boolean request,
            @Option(names = "--timeline", description = "Its changes, and what was booked for it.") boolean timeline)
            throws CliException, InterruptedException {
        Api api = session.api();
        if (request) {
            session.print(api.get(Target.batch("request-query", report)).body());
        } else if (timeline) {
            timeline(api.get(Target.batch("report-timeline", report)).body());
        } else {
            status(report, api.get(Target.batch("request-status", report)).body());
        }
        return ExitCodes.DONE;
    }

    @Command(
            description = "Ends a report that is processing; it costs nothing.",
            footer = "millrace report cancel 845d6440-79d1-4125-964e-eaef0d6923e5")
    int cancel(@Parameters(paramLabel = "<report id>") String report) throws CliException, InterruptedException {
        // Once more it would say that the report has ended, which is as true.
        return session.print(
                session.api().post(Target.batch("cancel", report), null).body(), report + " is cancelled");
    }

    @Command(
            description = "Starts a failed report again, at most three times.",
            footer = "millrace report retry 845d6440-79d1-4125-964e-eaef0d6923e5")
    int retry(@Parameters(paramLabel = "<report id>") String report) throws CliException, InterruptedException {
        return session.print(
                session.api().post(Target.batch("retry", report), null).body(),
                report + " is processing; to wait for it and get its file: millrace report download " + report);
    }

    @Command(
            description = "Deletes a report that has ended, with its file and its request; credits are not given back.",
            footer = "millrace report erase 845d6440-79d1-4125-964e-eaef0d6923e5")
    int erase(@Parameters(paramLabel = "<report id>") String report) throws CliException, InterruptedException {
        // Once more it would say that there is no such report, which is as true.
        session.api().delete(Target.batch("reports", report));
        return session.print(Json.object().put("report_id", report).put("erased", true), report + " is erased");
    }

    private static String status(JsonNode report) {
        String word = Words.state(report);
        return report.path("progress").isNumber()
                ? word + " " + Words.percent(report.path("progress").asDouble())
                : word;
    }

    private void status(String report, JsonNode status) {
        if (session.json()) {
            session.print(status);
            return;
        }
        line("report", Json.text(status, "report_id"));
        line("dataset", Json.text(status, "dataset"));
        line("data", Json.text(status, "data_version"));
        line(
                "tags",
                status.path("tags").properties().stream()
                        .map(tag -> tag.getKey() + "=" + tag.getValue().asText())
                        .collect(Collectors.joining(", ")));
        line("status", status(status) + " " + Json.text(status, "phase"));
        line("submitted", utc(status.path("submitted_at")));
        line("updated", utc(status.path("updated_at")));
        line("estimate", credits(status.path("estimated_credits")));
        line("charged", credits(status.path("used_quota")));
        line("rows", Words.number(status.path("row_count")));
        line("results", Words.number(status.path("data_points_count")));
        line(
                "file",
                status.path("file_size").isNumber()
                        ? Words.size(status.path("file_size").asLong())
                        : "");
        line("sha256", Json.text(status, "sha256"));
        line("kept until", utc(status.path("expires_at")));
        JsonNode error = status.path("error");
        line("error", error.isObject() ? Json.text(error, "message") + " (" + Json.text(error, "code") + ")" : "");
        line("advice", Json.text(error, "advice"));
        Json.texts(status.path("warnings")).forEach(warning -> line("warning", warning));
        if (error.path("retryable").asBoolean()) {
            session.say("to start it again: millrace report retry " + report);
        } else if (status.hasNonNull("download_url")) {
            session.say("to get its file: millrace report download " + report);
        }
    }

    private static String utc(JsonNode time) {
        return time.isTextual() ? Words.time(time) + " UTC" : "";
    }

    private static String credits(JsonNode number) {
        return number.isNumber() ? Words.count(number.asLong(), "credit") : "";
    }

    private void line(String name, String value) {
        if (!value.isBlank()) {
            session.print(String.format(Locale.ROOT, "%-12s%s", name, value.strip()));
        }
    }

    private void timeline(JsonNode answer) {
        if (session.json()) {
            session.print(answer);
            return;
        }
        var events = new Table("time (UTC)", "status", "phase", ">attempt", ">after", "error");
        for (JsonNode event : answer.path("events")) {
            events.row(
                    Words.time(event.path("occurred_at")),
                    status(event),
                    Json.text(event, "phase"),
                    Words.number(event.path("attempt")),
                    event.path("since_previous_millis").isNumber()
                            ? Words.duration(Duration.ofMillis(
                                    event.path("since_previous_millis").asLong()))
                            : "",
                    Json.text(event.path("error"), "message"));
        }
        session.print(events);
        var entries = new Table("time (UTC)", "entry", ">credits", ">remaining");
        for (JsonNode entry : answer.path("entries")) {
            entries.row(
                    Words.time(entry.path("occurred_at")),
                    Json.text(entry, "kind"),
                    Words.number(entry.path("amount")),
                    Words.number(entry.path("remaining")));
        }
        if (!entries.isEmpty()) {
            session.out().println();
            session.print(entries);
        }
    }
}
