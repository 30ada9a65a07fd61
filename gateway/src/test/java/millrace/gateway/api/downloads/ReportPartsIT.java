package millrace.gateway.api.downloads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import millrace.contracts.Hashes;
import millrace.contracts.Json;
import millrace.contracts.commands.AccountCommand.RequestReport;
import millrace.contracts.operation.ProcessState;
import millrace.contracts.reports.ReportEvent.QuerySummary;
import millrace.contracts.reports.ReportManifest;
import millrace.contracts.reports.ReportPart;
import millrace.contracts.reports.ReportParts;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.requests.ReportQuery;
import millrace.contracts.topics.Topics;
import millrace.files.SignedLinks;
import millrace.files.disk.DiskReportStore;
import millrace.files.store.ReportFileWriter;
import millrace.gateway.FakeProcessor;
import millrace.gateway.TestGateway;
import millrace.gateway.copy.reports.SampleRecords;
import millrace.testing.TestKafka;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** A report in parts is asked for once all processors know it, and has a manifest, files and a list of them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReportPartsIT {
    private static final String REPORT = "/v3/batch/demographics/request-report";
    private static final String SPLIT =
            TestGateway.REQUEST.replaceFirst("\\{", "{\"num_of_files\":2,\"report_name\":\"parts\",");
    private static final String HEADER = "domain,demographics_share\r\n";
    /** More than a status has. */
    private static final int MANY = ReportParts.SHOWN + 5;

    @TempDir
    static Path reports;

    private TestKafka kafka;
    private TestGateway gateway;
    private FakeProcessor processor;

    @BeforeAll
    void start() {
        kafka = TestKafka.withTopics(3);
        gateway = TestGateway.start(kafka.bootstrapServers(), reports);
        processor = new FakeProcessor(kafka.bootstrapServers());
        processor.balance("acme", 100_000, 0);
        await().until(() -> gateway.post(REPORT, TestGateway.REQUEST).statusCode() == 200);
    }

    @AfterAll
    void stop() {
        processor.close();
        gateway.close();
        kafka.close();
    }

    @Test
    void isAcceptedOnceEveryProcessorKnowsIt() throws IOException {
        refused();
        says("p-1", 6);
        await().until(() -> gateway.post(REPORT, SPLIT).statusCode() == 200);
        says("p-2", null);
        await().until(() -> gateway.post(REPORT, SPLIT).statusCode() == 503);
        refused();
        assertThat(gateway.post(REPORT, TestGateway.REQUEST).statusCode()).isEqualTo(200);
        says("p-2", 6);
        await().until(() -> gateway.post(REPORT, SPLIT).statusCode() == 200);

        String id = body(gateway.post(REPORT, SPLIT)).path("report_id").asText();
        assertThat(processor.commands())
                .anySatisfy(c -> assertThat(c).isInstanceOfSatisfying(RequestReport.class, r -> {
                    assertThat(r.reportId()).hasToString(id);
                    assertThat(r.request().query().split()).isEqualTo(new ReportQuery.Split(null, 2, 2));
                }));
        JsonNode query = body(gateway.get("/v3/batch/request-query/" + id));
        assertThat(query.path("num_of_files").asInt()).isEqualTo(2);
        assertThat(query.has("split")).isFalse();
    }

    private void refused() throws IOException {
        HttpResponse<String> answer = gateway.post(REPORT, SPLIT);
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(body(answer).path("code").asText()).isEqualTo("not_yet_supported");
        assertThat(answer.headers().firstValue("Retry-After")).isPresent();
    }

    @Test
    void aStatusListsAFewFiles() throws IOException {
        UUID id = UUID.randomUUID();
        JsonNode status = publish(id, 2);
        assertThat(status.has("sha256")).isFalse();
        assertThat(status.path("file_count").asInt()).isEqualTo(2);
        assertThat(status.path("row_count").asInt()).isEqualTo(1);
        assertThat(status.path("files")).hasSize(2);
        JsonNode file = status.path("files").path(1);
        assertThat(file.path("name").asText()).isEqualTo("demographics-0002.csv");
        assertThat(file.path("part").asInt()).isEqualTo(2);
        String content = text(2);
        assertThat(file.path("sha256").asText()).isEqualTo(Hashes.sha256(content));
        assertThat(status.path("file_size").asInt()).isEqualTo(text(1).length() + text(2).length());

        HttpResponse<String> whole = link(file, Map.of());
        assertThat(whole.statusCode()).isEqualTo(200);
        assertThat(whole.body()).isEqualTo(content);
        assertThat(whole.headers().firstValue("Content-Disposition"))
                .contains("attachment; filename=\"demographics-0002.csv\"");
        assertThat(whole.headers().firstValue("ETag")).contains("\"" + Hashes.sha256(content) + "\"");
        HttpResponse<String> range = link(file, Map.of("Range", "bytes=7-"));
        assertThat(range.statusCode()).isEqualTo(206);
        assertThat(range.body()).isEqualTo(content.substring(7));
        assertThat(link(file, Map.of("If-Match", "\"other\"")).statusCode()).isEqualTo(412);
    }

    @Test
    void theManifestHasLinksAndColumns() throws IOException {
        UUID id = UUID.randomUUID();
        JsonNode status = publish(id, MANY);
        assertThat(status.has("files")).isFalse();
        assertThat(status.path("file_count").asInt()).isEqualTo(MANY);
        HttpResponse<String> answer = link(status, Map.of());
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/json");
        assertThat(answer.headers().firstValue("Content-Disposition"))
                .contains("attachment; filename=\"demographics-" + id + "-manifest.json\"");
        JsonNode manifest = body(answer);
        assertThat(manifest.path("report_id").asText()).isEqualTo(id.toString());
        assertThat(manifest.path("data_version").asText()).isEqualTo("v1");
        assertThat(manifest.path("row_count").asInt()).isEqualTo(1);
        assertThat(manifest.path("file_size").asLong())
                .isEqualTo(status.path("file_size").asLong());
        assertThat(manifest.path("tables")
                        .path(0)
                        .path("columns")
                        .path(1)
                        .path("unit")
                        .asText())
                .isEqualTo("fraction");
        assertThat(manifest.path("files")).hasSize(MANY).allSatisfy(file -> {
            HttpResponse<String> part = link(file, Map.of());
            assertThat(part.statusCode()).isEqualTo(200);
            assertThat(Hashes.sha256(part.body())).isEqualTo(file.path("sha256").asText());
        });
        // As a file: whole, in ranges, and by its tag.
        String tag = answer.headers().firstValue("ETag").orElseThrow();
        assertThat(link(status, Map.of("If-None-Match", tag)).statusCode()).isEqualTo(304);
        HttpResponse<String> range = link(status, Map.of("Range", "bytes=10-19"));
        assertThat(range.statusCode()).isEqualTo(206);
        assertThat(range.body()).isEqualTo(answer.body().substring(10, 20));
        HttpResponse<String> head =
                gateway.send("HEAD", status.path("download_url").asText(), null, null, Map.of());
        assertThat(head.headers().firstValue("Content-Length"))
                .contains("" + answer.body().length());
    }

    @Test
    void listsFilesInPages() throws IOException {
        UUID id = UUID.randomUUID();
        JsonNode unused = publish(id, MANY);
        String path = "/v3/batch/files/" + id;
        List<String> names = new ArrayList<>();
        String next = "";
        do {
            JsonNode page = body(gateway.get(path + "?limit=10" + next));
            assertThat(page.path("files").size()).isLessThanOrEqualTo(10);
            page.path("files").forEach(file -> names.add(file.path("name").asText()));
            next = page.path("next_cursor").isNull()
                    ? ""
                    : "&cursor=" + page.path("next_cursor").asText();
        } while (!next.isEmpty());
        assertThat(names)
                .hasSize(MANY)
                .doesNotHaveDuplicates()
                .isSorted()
                .first()
                .isEqualTo("demographics-0001.csv");
        JsonNode behind = body(gateway.get(path + "?cursor=999"));
        assertThat(behind.path("files")).isEmpty();
        assertThat(gateway.send("GET", path, TestGateway.OTHER_KEY, null, Map.of())
                        .statusCode())
                .isEqualTo(404);
    }

    /** The first one has none. */
    @Test
    void showsTheRowsOfTheFirstFileThatHasSome() throws IOException {
        UUID id = UUID.randomUUID();
        JsonNode unused = publish(id, MANY);
        JsonNode preview = body(gateway.get("/v3/batch/preview/" + id));
        assertThat(preview.path("rows").path(0).path(0).asText()).isEqualTo("example.com");
        assertThat(preview.path("row_count").asInt()).isEqualTo(1);
    }

    @Test
    void onlyFilesOfTheReportAreServed() throws IOException {
        UUID id = UUID.randomUUID();
        JsonNode unused = publish(id, 2);
        Instant end = Instant.now().plusSeconds(60);
        String other = new SignedLinks(gateway.address(), TestGateway.SECRET)
                .link(id, new StoredFile(id + "/1/slice-0.csv", 1, "ab"), end)
                .toString();
        assertThat(gateway.send("GET", other, null, null, Map.of()).statusCode())
                .isEqualTo(410);
    }

    @Test
    void filesThatAreGoneAreTold() throws IOException {
        UUID id = UUID.randomUUID();
        JsonNode status = publish(id, MANY);
        new DiskReportStore(reports, false).deleteAll(id + "/1/");
        assertThat(link(status, Map.of()).statusCode()).isEqualTo(410);
        assertThat(gateway.get("/v3/batch/files/" + id).statusCode()).isEqualTo(410);
        assertThat(gateway.get("/v3/batch/preview/" + id).statusCode()).isEqualTo(410);
    }

    /** The second file has a row. */
    private static String text(int part) {
        return part == 2 ? HEADER + "example.com,0.5\r\n" : HEADER;
    }

    private JsonNode publish(UUID id, int count) throws IOException {
        var store = new DiskReportStore(reports, false);
        List<ReportPart> parts = new ArrayList<>();
        for (int part = 1; part <= count; part++) {
            StoredFile file =
                    write(store, id + "/1/" + part + "-x.csv", text(part).getBytes(StandardCharsets.UTF_8));
            parts.add(ReportPart.of("demographics", part, "csv", part == 2 ? 1 : 0, file));
        }
        ReportManifest manifest = ReportManifest.of(
                        FakeProcessor.open("acme", id).reading("v1", null),
                        QuerySummary.of(SampleRecords.wanted("example.com").query()),
                        parts)
                .with(List.of(new ReportManifest.Table(
                        "demographics",
                        "demographics",
                        List.of(
                                new ReportManifest.Column("domain", "text", null),
                                new ReportManifest.Column("demographics_share", "double", "fraction")))));
        StoredFile file = write(store, id + "/1/manifest-x.json", Json.bytes(manifest));
        processor.status(FakeProcessor.complete(
                "acme",
                id,
                2,
                new ReportStatus.Result(
                        new ResultCounts(1, 1, 0), 1, file, Instant.now().plusSeconds(3600), ReportParts.of(parts))));
        String path = "/v3/batch/request-status/" + id;
        await().until(() -> gateway.get(path).statusCode() == 200);
        return body(gateway.get(path));
    }

    private static StoredFile write(DiskReportStore store, String name, byte[] content) throws IOException {
        try (ReportFileWriter writer = store.create(name)) {
            writer.write(content);
            return writer.commit();
        }
    }

    private void says(String instance, @Nullable Integer form) {
        var state = new ProcessState(
                instance,
                true,
                new TreeMap<>(Map.of(ProcessState.PROCESSOR, new TreeMap<>(Map.of("kafka", true)))),
                Instant.now(),
                Instant.now(),
                form);
        processor.put(Topics.PROCESS_STATES, state.key(), state);
    }

    private HttpResponse<String> link(JsonNode file, Map<String, String> headers) {
        return gateway.send("GET", file.path("download_url").asText(), null, null, headers);
    }

    private static JsonNode body(HttpResponse<String> answer) throws IOException {
        return Json.MAPPER.readTree(answer.body());
    }
}
