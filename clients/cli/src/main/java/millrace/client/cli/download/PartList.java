package millrace.client.cli.download;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import millrace.client.cli.api.Api;
import millrace.client.cli.api.Target;
import millrace.client.cli.output.Json;
import millrace.runtime.cli.CliException;
import org.jspecify.annotations.Nullable;

/** The files of a complete report in parts. */
public final class PartList {
    private static final int PAGE = 1_000;

    private PartList() {}

    /** Whether the report has several files. */
    public static boolean has(JsonNode status) {
        return status.has("file_count");
    }

    /** Statuses of its files, each of which can be downloaded as a report can. */
    public static List<JsonNode> of(Api api, JsonNode status) throws CliException, InterruptedException {
        String report = Json.text(status, "report_id");
        List<JsonNode> files = new ArrayList<>();
        status.path("files").forEach(file -> files.add(ofReport(file, report)));
        return files.isEmpty() ? listed(api, report) : files;
    }

    /** As the service lists them now, with new links. */
    static List<JsonNode> listed(Api api, String report) throws CliException, InterruptedException {
        List<JsonNode> files = new ArrayList<>();
        @Nullable String cursor = null;
        do {
            JsonNode page = api.get(
                            Target.batch("files", report).with("limit", PAGE).with("cursor", cursor))
                    .body();
            page.path("files").forEach(file -> files.add(ofReport(file, report)));
            cursor = page.path("next_cursor").textValue();
        } while (cursor != null);
        return files;
    }

    private static JsonNode ofReport(JsonNode file, String report) {
        ObjectNode status = file.deepCopy();
        return status.put("report_id", report);
    }
}
