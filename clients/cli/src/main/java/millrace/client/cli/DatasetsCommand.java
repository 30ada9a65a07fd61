package millrace.client.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import millrace.client.cli.api.Api;
import millrace.client.cli.api.DatasetTable;
import millrace.client.cli.api.Session;
import millrace.client.cli.output.Json;
import millrace.client.cli.output.Table;
import millrace.client.cli.output.Words;
import millrace.client.cli.session.ExitCodes;
import millrace.runtime.cli.CliException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code millrace datasets}: what can be asked for. */
@Command(
        name = "datasets",
        description = "Shows the datasets with the periods and rows that there are; of one dataset its metrics and"
                + " filters. Free.",
        footer = "millrace datasets demographics")
final class DatasetsCommand implements Callable<Integer> {
    private static final int MOST_VALUES = 10;

    @Parameters(arity = "0..1", paramLabel = "<dataset>")
    private @Nullable String dataset;

    /** Options that this name had when it showed the warehouse. */
    @Option(
            names = {"--use", "--data", "--config"},
            hidden = true)
    private @Nullable String ofVersions;

    private final Session session;

    DatasetsCommand(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() throws CliException, InterruptedException {
        if (ofVersions != null) {
            throw new CliException(
                    ExitCodes.USAGE, "what is in a warehouse is shown and switched by: millrace versions --help");
        }
        Api api = session.api();
        if (dataset != null) {
            show(DatasetTable.find(api, dataset).json());
            return ExitCodes.DONE;
        }
        JsonNode all = DatasetTable.all(api);
        if (session.json()) {
            session.print(all);
            return ExitCodes.DONE;
        }
        var table = new Table("dataset", "periods", ">rows", ">entities", "updated (UTC)", "what");
        for (JsonNode one : all) {
            JsonNode data = one.path("data");
            table.row(
                    Json.text(one, "table"),
                    periods(one),
                    Words.number(data.path("row_count")),
                    Words.number(data.path("entity_count")),
                    Words.time(data.path("updated_at")),
                    Json.text(one, "description"));
        }
        session.print(table);
        return ExitCodes.DONE;
    }

    /** Those of the data, where they are known, else those that the account may ask for. */
    private static String periods(JsonNode table) {
        JsonNode ofData = table.path("data").path("periods");
        boolean known = ofData.isObject();
        List<String> periods = new ArrayList<>();
        for (Map.Entry<String, JsonNode> one : (known ? ofData : table.path("table_granularity")).properties()) {
            periods.add(one.getKey() + " " + Json.text(one.getValue(), known ? "first" : "start_date") + " to "
                    + Json.text(one.getValue(), known ? "last" : "end_date"));
        }
        return String.join(", ", periods);
    }

    private void show(JsonNode table) {
        if (session.json()) {
            session.print(table);
            return;
        }
        session.print(Json.text(table, "table") + ": " + Json.text(table, "description"));
        session.print("price: " + Json.text(table, "price"));
        session.print("periods: " + periods(table));
        List<String> samples = Json.texts(table.path("data").path("sample_entities"));
        if (!samples.isEmpty()) {
            session.print("for example: " + String.join(", ", samples));
        }
        session.out().println();
        var metrics = new Table("metric", "unit", "granularities", "meaning");
        for (JsonNode metric : table.path("table_metrics")) {
            metrics.row(
                    Json.text(metric, "name"),
                    Json.text(metric, "unit"),
                    String.join(", ", Json.texts(metric.path("granularities"))),
                    Json.text(metric, "meaning"));
        }
        session.print(metrics);
        session.out().println();
        var fields = new Table("field", "type", "required", "values");
        for (JsonNode field : table.path("table_filters")) {
            fields.row(
                    Json.text(field, "name"),
                    Json.text(field, "type"),
                    field.path("required").asBoolean() ? "yes" : "no",
                    values(field.path("values")));
        }
        session.print(fields);
    }

    private static String values(JsonNode values) {
        List<String> words = Json.texts(values);
        return words.size() <= MOST_VALUES
                ? String.join(", ", words)
                : String.join(", ", words.subList(0, MOST_VALUES)) + " and " + (words.size() - MOST_VALUES) + " more";
    }
}
