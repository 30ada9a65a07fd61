package millrace.e2e.reports;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.e2e.client.CommittedTopicReader;
import millrace.e2e.client.WebhookReceiver;
import millrace.e2e.data.OperatorDataFolder;
import millrace.e2e.process.BatchApiClient;
import millrace.e2e.process.BatchApiClient.Answer;
import millrace.e2e.process.MillraceProcess;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is left of a report on a running Millrace, in its topics and its folder, when it is erased. */
class ErasedReportsIT {
    private static final String REQUEST = """
            {"keywords":["k1"],"countries":["US"],"metrics":["all_keyword_volume"],"start_date":"2026-01",
             "end_date":"2026-09","granularity":"monthly","webhook_url":"%s"}""";
    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    @Test
    void nothingIsLeftWhereItIsLookedUp() throws Exception {
        OperatorDataFolder own = OperatorDataFolder.create(folder.resolve("data"), Map.of("erasing", 1_000_000L));
        try (WebhookReceiver receiver = WebhookReceiver.start()) {
            String report;
            try (MillraceProcess millrace = MillraceProcess.start(own.data())) {
                BatchApiClient api = BatchApiClient.of(millrace, OperatorDataFolder.key("erasing"));
                String request = REQUEST.formatted(receiver.url());
                String path = "/v3/batch/keywords/request-report";
                String[] key = {"Idempotency-Key", "nightly"};
                report = api.post(path, request, key).text("report_id");
                String stays = api.post(path, request).text("report_id");
                Answer complete = api.ended(report);
                api.ended(stays);
                long credits = api.remainingCredits();
                Awaitility.await()
                        .atMost(SOON)
                        .until(() -> api.get("/v3/batch/webhooks/deliveries?report_id=" + report)
                                        .body()
                                        .path("deliveries")
                                        .size()
                                == 2);
                assertThat(files(own.data(), report)).isNotEmpty();

                assertThat(api.delete("/v3/batch/reports/" + report).code()).isEqualTo(204);
                for (String gone : List.of("request-status/", "request-query/", "report-timeline/", "preview/")) {
                    assertThat(api.get("/v3/batch/" + gone + report).code())
                            .as(gone)
                            .isEqualTo(404);
                }
                assertThat(api.get("/v3/batch/report-history").body().toString())
                        .contains(stays)
                        .doesNotContain(report);
                assertThat(api.fetch(complete.text("download_url")).statusCode())
                        .isEqualTo(410);
                assertThat(api.delete("/v3/batch/reports/" + report).code()).isEqualTo(404);
                assertThat(api.remainingCredits()).isEqualTo(credits);
                Answer again = api.post(path, request, key);
                assertThat(again.code()).isEqualTo(409);
                assertThat(again.text("code")).isEqualTo("idempotency_conflict");
                Awaitility.await().atMost(SOON).untilAsserted(() -> {
                    assertThat(files(own.data(), report)).isEmpty();
                    assertThat(api.get("/v3/batch/webhooks/deliveries?report_id=" + report)
                                    .body()
                                    .path("deliveries"))
                            .isEmpty();
                });
                for (Topic<?> topic : List.of(Topics.REPORT_STATUS, Topics.REPORT_REQUESTS)) {
                    assertThat(CommittedTopicReader.keys(millrace.bootstrapServers(), topic))
                            .contains("erasing/" + stays)
                            .doesNotContain("erasing/" + report);
                }
                assertThat(CommittedTopicReader.read(millrace.bootstrapServers(), Topics.CREDIT_LEDGER))
                        .anyMatch(entry -> report.equals(String.valueOf(entry.reportId())));
                millrace.kill();
            }
            try (MillraceProcess millrace = MillraceProcess.start(own.data())) {
                BatchApiClient api = BatchApiClient.of(millrace, OperatorDataFolder.key("erasing"));
                assertThat(api.status(report).code()).isEqualTo(404);
                assertThat(api.post(
                                        "/v3/batch/keywords/request-report",
                                        REQUEST.formatted(receiver.url()),
                                        "Idempotency-Key",
                                        "nightly")
                                .code())
                        .isEqualTo(409);
            }
        }
    }

    private static List<Path> files(Path data, String report) {
        try (Stream<Path> all = Files.walk(data.resolve("reports"))) {
            return new ArrayList<>(all.filter(file -> file.toString().contains(report))
                    .filter(Files::isRegularFile)
                    .toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
