package millrace.client.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import millrace.client.cli.api.Api;
import millrace.client.cli.api.Target;
import millrace.client.cli.output.Json;
import millrace.runtime.cli.CliException;

/** The files of a complete report in parts. */
final class PartList {
    private static final int PAGE = 1_000;

    private PartList() {}

    /** Whether the report has several files. */
    static boolean has(JsonNode status) {
        return status.has("file_count");
    }

    /** Statuses of its files, each of which can be downloaded as a report can. */
    static List<JsonNode> of(Api api, JsonNode status) throws CliException, InterruptedException {
        String report = Json.text(status, "report_id");
        return status.path("files").isEmpty()
                ? listed(api, report)
                : status.path("files")
                        .valueStream()
                        .map(file -> ofReport(file, report))
                        .toList();
    }

    /** As the service lists them now, with new links. */
    static List<JsonNode> listed(Api api, String report) throws CliException, InterruptedException {
        return api.list(Target.batch("files", report), "files", PAGE, Integer.MAX_VALUE)
                .valueStream()
                .map(file -> ofReport(file, report))
                .toList();
    }

    private static JsonNode ofReport(JsonNode file, String report) {
        ObjectNode status = file.deepCopy();
        return status.put("report_id", report);
    }
}
