package millrace.client.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import millrace.runtime.cli.TerminalText;

/** Numbers, sizes and times as people read them. Times are in UTC, as in the API. */
public final class Words {
    private static final DateTimeFormatter SECONDS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter CLOCK =
            DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private Words() {}

    /** With commas between thousands. */
    public static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** That of an answer; "" where it is missing. */
    public static String number(JsonNode node) {
        return node.isNumber() ? number(node.asLong()) : "";
    }

    /** {@code one report}, {@code 3 reports}. */
    public static String count(long number, String thing) {
        return number(number) + " " + thing + (number == 1 ? "" : "s");
    }

    public static String size(long bytes) {
        if (bytes < 1000) {
            return bytes + " B";
        }
        double size = bytes;
        for (String unit : new String[] {"kB", "MB", "GB"}) {
            size /= 1000;
            if (size < 1000 || unit.equals("GB")) {
                return String.format(Locale.ROOT, size < 10 ? "%.1f %s" : "%.0f %s", size, unit);
            }
        }
        throw new IllegalStateException();
    }

    public static String percent(double fraction) {
        // Not 100 % before all of it is there.
        return (int) Math.floor(fraction * 100) + " %";
    }

    public static String duration(Duration duration) {
        long millis = duration.toMillis();
        if (millis > 0 && millis < 1000) {
            return millis + " ms";
        }
        long seconds = duration.toSeconds();
        if (seconds < 60) {
            return millis < 10_000 && millis % 1000 > 0
                    ? String.format(Locale.ROOT, "%.1f s", millis / 1000.0)
                    : seconds + " s";
        }
        return seconds < 3600
                ? seconds / 60 + " min" + (seconds % 60 == 0 ? "" : " " + seconds % 60 + " s")
                : seconds / 3600 + " h" + (seconds % 3600 / 60 == 0 ? "" : " " + seconds % 3600 / 60 + " min");
    }

    /** An instant of an answer, to the second; what is no instant stays as it is. */
    public static String time(JsonNode node) {
        if (!node.isTextual()) {
            return "";
        }
        try {
            return SECONDS.format(Instant.parse(node.asText()));
        } catch (DateTimeParseException e) {
            return TerminalText.escaped(node.asText());
        }
    }

    /** The time of day. */
    public static String clock(Instant instant) {
        return CLOCK.format(instant);
    }

    /** The status of a report; without a file its outcome, since both cancelled and failed are internal_error. */
    public static String state(JsonNode report) {
        String status = Json.text(report, "status");
        return status.equals("internal_error") && report.hasNonNull("outcome") ? Json.text(report, "outcome") : status;
    }
}
