package millrace.contracts.reports;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.IntStream;
import millrace.contracts.Json;
import millrace.contracts.requests.ApiDialect;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatusResponseTest {
    private static final UUID ID = UUID.fromString("845d6440-79d1-4125-964e-eaef0d6923e5");
    private static final Instant NOON = Instant.parse("2026-11-02T12:00:00Z");
    private static final Instant EXPIRY = NOON.plus(Duration.ofDays(30));
    private static final String LINK = "http://127.0.0.1:8080/v3/batch/download/" + ID + "?file=f";
    private static final String COMMON =
            "\"submitted_at\":\"2026-11-02T12:00:00.000Z\",\"updated_at\":\"2026-11-02T12:00:01.000Z\","
                    + "\"estimated_credits\":208,";
    private static final String RECEIPT =
            "\"receipt\":{\"reserved\":208,\"charged\":0,\"released\":0,\"price_rule\":\"1 credit per result\",\"entry_ids\":[]}}";

    @Test
    void tellsHowFarAReportIs() {
        assertThat(Json.text(StatusResponse.of(processing(ApiDialect.V3, 1, ReportPhase.RENDERING), null, NOON)))
                .isEqualTo("{\"report_id\":\"" + ID
                        + "\",\"dataset\":\"demographics\",\"status\":\"processing\",\"sequence\":1," + COMMON
                        + "\"progress\":0.25,\"phase\":\"rendering\"," + RECEIPT);
    }

    @Test
    void tellsWhereTheFileIs() {
        assertThat(Json.text(StatusResponse.of(complete(ApiDialect.V3), StatusResponseTest::link, NOON)))
                .isEqualTo("{\"report_id\":\"" + ID
                        + "\",\"dataset\":\"demographics\",\"status\":\"complete\",\"outcome\":\"completed\",\"sequence\":2,"
                        + COMMON + "\"download_url\":\"" + LINK + "\",\"data_points_count\":200,\"used_quota\":200,"
                        + "\"row_count\":50,\"file_size\":1234,\"sha256\":\"ab\",\"expires_at\":\"2026-12-02T12:00:00.000Z\","
                        + RECEIPT);
    }

    @Test
    void leavesTheLinkOutOnceTheFileHasExpired() {
        assertThat(StatusResponse.of(complete(ApiDialect.V3), StatusResponseTest::link, EXPIRY.minusMillis(1))
                        .downloadUrl())
                .isEqualTo(LINK);
        StatusResponse expired = StatusResponse.of(complete(ApiDialect.V3), StatusResponseTest::link, EXPIRY);
        assertThat(expired.downloadUrl()).isNull();
        assertThat(expired.status()).isEqualTo("complete");
        assertThat(expired.rowCount()).isEqualTo(50);
    }

    @Test
    void listsTheFilesOfAReportInParts() {
        StatusResponse status = StatusResponse.of(inParts(2), file -> LINK + file.name(), NOON);
        assertThat(status.downloadUrl()).isEqualTo(LINK + "r/1/manifest");
        assertThat(status.fileSize()).isEqualTo(21);
        assertThat(status.sha256()).isNull();
        assertThat(status.rowCount()).isEqualTo(50);
        assertThat(status.fileCount()).isEqualTo(2);
        assertThat(Json.text(Objects.requireNonNull(status.files())))
                .isEqualTo(
                        "[{\"name\":\"demographics-0001.csv.gz\",\"table\":\"demographics\",\"part\":1,\"row_count\":5,"
                                + "\"file_size\":10,\"sha256\":\"a1\",\"download_url\":\"" + LINK + "r/1/part-1\"},"
                                + "{\"name\":\"demographics-0002.csv.gz\",\"table\":\"demographics\",\"part\":2,\"row_count\":5,"
                                + "\"file_size\":11,\"sha256\":\"a2\",\"download_url\":\"" + LINK + "r/1/part-2\"}]");
        StatusResponse expired = StatusResponse.of(inParts(2), StatusResponseTest::link, EXPIRY);
        assertThat(Objects.requireNonNull(expired.files()).getFirst().downloadUrl())
                .isNull();
    }

    @Test
    void countsTheFilesIfTheyAreMany() {
        assertThat(StatusResponse.of(inParts(ReportParts.SHOWN), StatusResponseTest::link, NOON)
                        .files())
                .hasSize(ReportParts.SHOWN);
        StatusResponse many = StatusResponse.of(inParts(ReportParts.SHOWN + 1), StatusResponseTest::link, NOON);
        assertThat(many.files()).isNull();
        assertThat(many.fileCount()).isEqualTo(ReportParts.SHOWN + 1);
    }

    @Test
    void countsTheFilesInHistoryAndWebhooks() {
        for (StatusResponse shown : List.of(
                StatusResponse.inHistory(inParts(2), StatusResponseTest::link, NOON),
                StatusResponse.inWebhook(inParts(2), StatusResponseTest::link))) {
            assertThat(shown.files()).isNull();
            assertThat(shown.fileCount()).isEqualTo(2);
            assertThat(shown.downloadUrl()).isEqualTo(LINK);
        }
    }

    @Test
    void saysWhatWentWrong() {
        var failure = new ReportStatus.Failure(ErrorCode.RENDER_FAILED, "the slice was lost 3 times", true);
        StatusResponse answer =
                StatusResponse.of(report(ApiDialect.V3, 1, Status.INTERNAL_ERROR, null, null, failure), null, NOON);
        assertThat(Json.text(answer))
                .contains("\"status\":\"internal_error\"")
                .contains(
                        "\"error\":{\"code\":\"render_failed\",\"message\":\"the slice was lost 3 times\",\"retryable\":true,\"advice\":\"Retry ")
                .doesNotContain("progress", "download_url");
    }

    @Test
    void saysWarningsNameAndWhatItIsMadeFromWhereverItIsShown() {
        ReportStatus done = complete(ApiDialect.V3);
        var warned = new ReportStatus(
                        done.accountId(),
                        done.reportId(),
                        done.dataset(),
                        Status.PROCESSING,
                        done.dialect(),
                        1,
                        1,
                        NOON,
                        NOON,
                        208,
                        ReportStatus.Progress.QUEUED,
                        null,
                        null,
                        done.receipt(),
                        List.of("The data end with 2026-06."),
                        "weekly audience",
                        Map.of("team", "seo", "client", "ACME & Söhne"),
                        null,
                        null,
                        "ab12",
                        null)
                .reading("20261121-061530", NOON.minusSeconds(60))
                .completed(Objects.requireNonNull(done.result()), NOON.plusSeconds(1))
                .withReceipt(done.receipt());
        String words = "\"warnings\":[\"The data end with 2026-06.\"]";
        String name = "\"dataset\":\"demographics\",\"report_name\":\"weekly audience\",\"status\":";
        String from =
                "\"tags\":{\"client\":\"ACME & Söhne\",\"team\":\"seo\"},\"data_version\":\"20261121-061530\",\"data_published_at\":\"2026-11-02T11:59:00.000Z\","
                        + "\"query_sha256\":\"ab12\",\"render_form\":1}";
        assertThat(Json.text(StatusResponse.of(warned, StatusResponseTest::link, NOON)))
                .contains(words, name, from);
        assertThat(Json.text(StatusResponse.inHistory(warned, StatusResponseTest::link, NOON)))
                .contains(words, name, from);
        assertThat(Json.text(StatusResponse.inWebhook(warned, StatusResponseTest::link)))
                .contains(words, name, from);
        assertThat(Json.text(StatusResponse.of(done, StatusResponseTest::link, NOON)))
                .doesNotContain("warnings", "report_name", "tags", "data_version", "query_sha256");
    }

    @Test
    void anotherAttemptReadsOtherData() {
        ReportStatus first = processing(ApiDialect.V3, 1, ReportPhase.RENDERING).reading("v1", NOON);
        assertThat(first.withEstimatedCredits(1).dataVersion()).isEqualTo("v1");
        assertThat(first.undecidedRetry(2).dataVersion()).isNull();
        assertThat(first.started(2, NOON).renderForm()).isNull();
    }

    @Test
    void hasNoReceiptInHistory() {
        assertThat(Json.text(StatusResponse.inHistory(complete(ApiDialect.V3), StatusResponseTest::link, NOON)))
                .doesNotContain("receipt")
                .contains("download_url");
    }

    @Test
    void speaksV3InWebhooksAndSaysWhen() {
        assertThat(Json.text(StatusResponse.inWebhook(complete(ApiDialect.ORIGINAL), StatusResponseTest::link)))
                .contains(
                        "\"status\":\"complete\",\"outcome\":\"completed\",\"sequence\":2,\"occurred_at\":\"2026-11-02T12:00:01.000Z\"")
                .contains("\"download_url\":\"" + LINK);
    }

    @ParameterizedTest
    @CsvSource({
        "V3,       1, QUEUED,     processing",
        "V3,       2, QUEUED,     processing",
        "ORIGINAL, 1, QUEUED,     pending",
        "ORIGINAL, 2, QUEUED,     retry",
        "ORIGINAL, 1, RENDERING,  processing",
        "ORIGINAL, 2, ASSEMBLING, processing",
    })
    void usesTheWordsOfTheDialect(ApiDialect dialect, int attempt, ReportPhase phase, String word) {
        assertThat(StatusResponse.word(processing(dialect, attempt, phase))).isEqualTo(word);
    }

    @Test
    void saysCompletedInTheOriginalDialect() {
        assertThat(StatusResponse.word(complete(ApiDialect.ORIGINAL))).isEqualTo("completed");
    }

    private static ReportStatus processing(ApiDialect dialect, int attempt, ReportPhase phase) {
        return report(dialect, attempt, Status.PROCESSING, new ReportStatus.Progress(phase, 0.25), null, null);
    }

    private static @Nullable String link(StoredFile unused) {
        return LINK;
    }

    private static ReportStatus complete(ApiDialect dialect) {
        var file = new StoredFile("r/1/0-1", 1234, "ab");
        return report(
                dialect,
                1,
                Status.COMPLETE,
                null,
                new ReportStatus.Result(new ResultCounts(50, 200, 0), 200, file, EXPIRY),
                null);
    }

    private static ReportStatus inParts(int count) {
        List<ReportPart> parts = IntStream.rangeClosed(1, count)
                .mapToObj(n ->
                        ReportPart.of("demographics", n, "csv.gz", 5, new StoredFile("r/1/part-" + n, 9 + n, "a" + n)))
                .toList();
        return report(
                ApiDialect.V3,
                1,
                Status.COMPLETE,
                null,
                new ReportStatus.Result(
                        new ResultCounts(50, 200, 0),
                        200,
                        new StoredFile("r/1/manifest", 1, "ab"),
                        EXPIRY,
                        ReportParts.of(parts)),
                null);
    }

    private static ReportStatus report(
            ApiDialect dialect,
            int attempt,
            Status status,
            ReportStatus.@Nullable Progress progress,
            ReportStatus.@Nullable Result result,
            ReportStatus.@Nullable Failure failure) {
        return new ReportStatus(
                "demo",
                ID,
                "demographics",
                status,
                dialect,
                attempt,
                status == Status.PROCESSING ? 1 : 2,
                NOON,
                NOON.plusSeconds(1),
                208,
                progress,
                result,
                failure,
                new ReportStatus.Receipt(208, 0, 0, "1 credit per result", List.of()));
    }
}
