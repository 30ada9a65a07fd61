package millrace.client.cli.statements;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.client.cli.output.Json;
import millrace.runtime.cli.CliException;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a report beside its entries.
 *
 * @param price by its rule and counts; null if the rule is none of those that this program can compute
 * @param tags values by name
 */
record ReportFacts(
        String dataset,
        JsonNode tags,
        String rule,
        @Nullable Long price) {
    /** The rules of the datasets that come with Millrace, and those of other datasets that are written alike. */
    private static final Pattern RULE = Pattern.compile("1 credit per (?:([0-9]{1,9}) )?results?"
            + "(?:, rounded up once per report)?"
            + "(?:, plus, where an overlap metric was requested, 1 for each revealed domain, counted once per queried domain"
            + " and report)?"
            + "(?:; a report without results is free)?");

    /** Finds reports. */
    interface Source {
        /** Null if nothing is known of the report. */
        @Nullable
        ReportFacts of(String reportId) throws CliException, InterruptedException;
    }

    /** @param report a record of report-status, or the content of a receipt */
    static ReportFacts of(JsonNode report) {
        String rule = Json.text(report.path("receipt"), "price_rule");
        JsonNode counts = report.has("counts")
                ? report.path("counts")
                : report.path("result").path("counts");
        return new ReportFacts(Json.text(report, "dataset"), report.path("tags"), rule, price(rule, counts));
    }

    private static @Nullable Long price(String rule, JsonNode counts) {
        Matcher matcher = RULE.matcher(rule);
        if (!matcher.matches() || !counts.isObject()) {
            return null;
        }
        long divisor = matcher.group(1) == null ? 1 : Math.max(1, Long.parseLong(matcher.group(1)));
        return Math.ceilDiv(
                counts.path("results").asLong() + counts.path("revealed").asLong(), divisor);
    }
}
