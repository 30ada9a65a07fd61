package millrace.client.cli.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import millrace.client.cli.api.Api;
import millrace.client.cli.api.DatasetTable;
import millrace.client.cli.output.Json;
import millrace.client.cli.session.ExitCodes;
import millrace.client.cli.session.Failures;
import millrace.runtime.cli.CliException;
import millrace.runtime.cli.TextFile;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The request of a report. What is wrong with its values the service says, so they pass through as
 * they are typed.
 */
final class RequestOptions {
    private static final String ALL = "all";
    private static final String MONTH = "[0-9]{4}-[0-9]{2}";

    @Option(
            names = "--domains",
            paramLabel = "<domain>,…|@<file>",
            description = "Domains; @<file> has one on each line, or is CSV, and @- is the standard input.")
    private List<String> domains = List.of();

    @Option(names = "--keywords", paramLabel = "<keyword>,…|@<file>", description = "Keywords, in the same way.")
    private List<String> keywords = List.of();

    @Option(names = "--countries", split = ",", paramLabel = "US,GB", description = "Country codes.")
    private List<String> countries = List.of();

    @Option(
            names = "--metrics",
            split = ",",
            paramLabel = "<metric>,…|all",
            description = "Metrics; all means every one that the dataset has for the granularity.")
    private List<String> metrics = List.of();

    @Option(names = "--from", paramLabel = "<date>", description = "First month or day, like 2026-01 or 2026-01-31.")
    private @Nullable String from;

    @Option(names = "--to", paramLabel = "<date>", description = "Last month or day; it counts, too.")
    private @Nullable String to;

    @Option(names = "--latest", description = "Up to the newest period that is there; --to is not needed then.")
    private boolean latest;

    @Option(
            names = "--window",
            paramLabel = "<3m>",
            description = "In place of --from: so many periods, up to --to or the newest; like 28d, 12w, 3m or 1y.")
    private @Nullable String window;

    @Option(
            names = "--all-history",
            description = "In place of --from: all periods that the account can access, up to --to or the newest.")
    private boolean allHistory;

    @Option(
            names = "--granularity",
            paramLabel = "<word>",
            description = "daily, weekly, monthly and so on; monthly where --from is a month.")
    private @Nullable String granularity;

    @Option(names = "--format", paramLabel = "csv|json|parquet", description = "Of the file; csv if not given.")
    private @Nullable String format;

    @Option(names = "--compression", paramLabel = "none|gzip|zstd", description = "Of the file; none if not given.")
    private @Nullable String compression;

    @Option(
            names = "--split",
            paramLabel = "<rows>",
            description = "Several files of at most so many rows, in place of one.")
    private @Nullable Long split;

    @Option(names = "--webhook-url", paramLabel = "<url>", description = "Where each change of the status is sent.")
    private @Nullable String webhookUrl;

    @Option(
            names = "--max-credits",
            paramLabel = "<n>",
            description = "The most that the report may cost; an estimate above it is refused.")
    private @Nullable Long maxCredits;

    @Option(names = "--report-name", paramLabel = "<text>", description = "A name for people, shown with the status.")
    private @Nullable String reportName;

    @Option(
            names = "--tag",
            paramLabel = "<name>=<value>",
            description = "A word of your own, by which report list finds the report; more of them with --tag again.")
    private Map<String, String> tags = new LinkedHashMap<>();

    @Option(
            names = "--retention-days",
            paramLabel = "<n>",
            description = "How long the file can be downloaded: 1, 30, 60, 180 or 365 days.")
    private @Nullable Long retentionDays;

    @Option(
            names = "--sort",
            paramLabel = "<column>",
            description = "The column that rows come by; they have one order, and another one is refused.")
    private @Nullable String sort;

    @Option(
            names = "--set",
            paramLabel = "<field>=<value>",
            description = "Any other field of the request; the value is JSON, else text, and @<file> a list."
                    + " Dots lead into objects.")
    private List<String> fields = List.of();

    @Option(
            names = "--request",
            paramLabel = "<file>",
            description = "A request as JSON, which the other options add to and change; - is the standard input.")
    private @Nullable String request;

    /** The body of the request. */
    ObjectNode body(String dataset, InputStream in, Api api) throws CliException, InterruptedException {
        var lists = new EntityLists(in);
        ObjectNode body = request == null ? Json.object() : file(request, in);
        array(body, "domains", lists.read("domains", domains));
        array(body, "keywords", lists.read("keywords", keywords));
        array(body, "countries", countries);
        text(body, "start_date", from);
        text(body, "end_date", to);
        if (latest) {
            body.put("latest", true);
        }
        text(body, "window_size", window);
        if (allHistory) {
            body.put("all_history", true);
        }
        text(body, "granularity", granularity);
        text(body, "response_format", format);
        text(body, "compression", compression);
        if (split != null) {
            body.putObject("split").put("max_rows", split);
        }
        text(body, "webhook_url", webhookUrl);
        number(body, "max_credits", maxCredits);
        text(body, "report_name", reportName);
        if (!tags.isEmpty()) {
            ObjectNode named = body.path("tags") instanceof ObjectNode known ? known : body.putObject("tags");
            tags.forEach(named::put);
        }
        number(body, "retention_days", retentionDays);
        text(body, "sort", sort);
        for (String field : fields) {
            set(body, field, lists);
        }
        if (!body.has("granularity") && Json.text(body, "start_date").matches(MONTH)) {
            body.put("granularity", "monthly");
        }
        array(
                body,
                "metrics",
                metrics.equals(List.of(ALL))
                        ? DatasetTable.find(api, dataset).metrics(Json.text(body, "granularity"))
                        : metrics);
        return body;
    }

    private static void array(ObjectNode body, String field, List<String> values) {
        if (!values.isEmpty()) {
            ArrayNode array = body.putArray(field);
            values.forEach(array::add);
        }
    }

    private static void text(ObjectNode body, String field, @Nullable String value) {
        if (value != null) {
            body.put(field, value);
        }
    }

    private static void number(ObjectNode body, String field, @Nullable Long value) {
        if (value != null) {
            body.put(field, value);
        }
    }

    private static void set(ObjectNode body, String argument, EntityLists lists) throws CliException {
        int equals = argument.indexOf('=');
        if (equals < 1) {
            throw usage("--set needs a field and a value, like --set limit=100: " + argument);
        }
        List<String> path = List.of(argument.substring(0, equals).split("\\.", -1));
        String value = argument.substring(equals + 1);
        ObjectNode parent = body;
        for (String name : path.subList(0, path.size() - 1)) {
            JsonNode child = parent.path(name);
            if (!child.isMissingNode() && !child.isObject()) {
                throw usage("--set " + argument + ": " + name + " is no object");
            }
            parent = child instanceof ObjectNode object ? object : parent.putObject(name);
        }
        String field = path.getLast();
        if (value.startsWith("@")) {
            array(parent, field, lists.read(field, List.of(value)));
        } else {
            parent.set(field, jsonOrText(value));
        }
    }

    private static JsonNode jsonOrText(String value) {
        try {
            JsonNode json = Json.read(value);
            return json.isMissingNode() ? TextNode.valueOf(value) : json;
        } catch (JsonProcessingException e) {
            return TextNode.valueOf(value);
        }
    }

    private static ObjectNode file(String name, InputStream in) throws CliException {
        try (InputStream file = name.equals("-") ? in : Files.newInputStream(Path.of(name))) {
            if (Json.read(TextFile.decode(file.readAllBytes())) instanceof ObjectNode object) {
                return object;
            }
            throw usage(name + " is no JSON object");
        } catch (JsonProcessingException e) {
            throw usage(name + " is no JSON: " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new CliException(ExitCodes.LOCAL, name + " cannot be read: " + Failures.reason(e));
        }
    }

    private static CliException usage(String sentence) {
        return new CliException(ExitCodes.USAGE, sentence);
    }
}
