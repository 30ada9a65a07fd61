package millrace.client.cli.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import millrace.client.cli.output.Json;
import millrace.client.cli.session.ExitCodes;
import millrace.runtime.cli.CliException;

/**
 * A dataset as the describe operation shows it.
 *
 * @param json its entry in the answer
 */
public record DatasetTable(JsonNode json) {

    /** All of the service. */
    public static JsonNode all(Api api) throws CliException, InterruptedException {
        return api.get(Target.batch("tables", "describe")).body();
    }

    /** The one with this name. */
    public static DatasetTable find(Api api, String name) throws CliException, InterruptedException {
        List<String> names = new ArrayList<>();
        for (JsonNode table : all(api)) {
            if (Json.text(table, "table").equals(name)) {
                return new DatasetTable(table);
            }
            names.add(Json.text(table, "table"));
        }
        throw new CliException(
                ExitCodes.REFUSED, "there is no dataset " + name + "; there are: " + String.join(", ", names));
    }

    /** @param granularity only metrics that have it; "" for all */
    public List<String> metrics(String granularity) {
        List<String> names = new ArrayList<>();
        for (JsonNode metric : json.path("table_metrics")) {
            boolean has = granularity.isEmpty();
            for (JsonNode one : metric.path("granularities")) {
                has |= one.asText().equals(granularity);
            }
            if (has) {
                names.add(Json.text(metric, "name"));
            }
        }
        return names;
    }
}
