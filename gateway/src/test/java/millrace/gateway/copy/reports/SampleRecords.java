package millrace.gateway.copy.reports;

import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import millrace.contracts.Hashes;
import millrace.contracts.accounts.PriceRule;
import millrace.contracts.accounts.Quote;
import millrace.contracts.commands.AccountCommand.Idempotency;
import millrace.contracts.commands.AccountCommand.RequestReport;
import millrace.contracts.reports.ErrorCode;
import millrace.contracts.reports.ReportPhase;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.reports.Status;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.requests.ApiDialect;
import millrace.contracts.requests.Granularity;
import millrace.contracts.requests.ReportQuery;
import millrace.contracts.requests.ReportRequest;
import org.jspecify.annotations.Nullable;

/** Messages as they would be on the topics. */
public final class SampleRecords {
    public static final String ACCOUNT = "acme";
    static final Instant NOON = Instant.parse("2026-11-02T12:00:00Z");
    public static final long CREDITS = 208;

    private SampleRecords() {}

    public static UUID id(int n) {
        return new UUID(0x845d6440_79d1_4125L, 0x964e_eaef0d6923e5L + n);
    }

    public static Idempotency key(String key) {
        return new Idempotency(Hashes.sha256(key), Hashes.sha256("request"));
    }

    public static RequestReport request(int n, @Nullable Idempotency key) {
        return request(id(n), key, NOON.plusMillis(n));
    }

    static RequestReport request(UUID id, @Nullable Idempotency key, Instant submittedAt) {
        return new RequestReport(
                id,
                wanted("example.com"),
                new Quote(CREDITS, 10, PriceRule.PER_RESULT),
                key,
                submittedAt,
                "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
    }

    public static ReportRequest wanted(String domain) {
        var dates = new ReportQuery.Dates(
                Granularity.MONTHLY, LocalDate.parse("2025-01-01"), LocalDate.parse("2025-02-01"));
        var query = new ReportQuery(
                "demographics",
                List.of(domain),
                List.of("US"),
                List.of("demographics_share"),
                dates,
                Map.of(),
                false,
                null,
                ReportQuery.Output.CSV);
        return new ReportRequest(query, null, null, ApiDialect.V3);
    }

    /** A report that is processing. */
    static ReportStatus tagged(int n, @Nullable String name, Map<String, String> tags) {
        RequestReport plain = request(n, null);
        var request = new ReportRequest(plain.request().query(), null, null, ApiDialect.V3, name, null, tags);
        return new RequestReport(
                        plain.reportId(), request, plain.quote(), null, plain.submittedAt(), plain.traceparent())
                .undecidedStatus(ACCOUNT)
                .started(1, NOON.plusSeconds(1));
    }

    public static ReportStatus complete(int n, int attempt, int sequence) {
        var file = new StoredFile(id(n) + "/1/0-1", 123_456 + n, Hashes.sha256("file " + n));
        var result =
                new ReportStatus.Result(new ResultCounts(50 + n, 200 + n, 0), 200, file, NOON.plusSeconds(2_592_000));
        return processing(n, attempt, sequence - 1).completed(result, NOON.plusSeconds(sequence));
    }

    public static ReportStatus failed(int n, int attempt, int sequence, ErrorCode code) {
        var failure = new ReportStatus.Failure(code, "it did not work out", code.retryable());
        return processing(n, attempt, sequence - 1).failed(attempt, failure, NOON.plusSeconds(sequence));
    }

    public static ReportStatus processing(int n, int attempt, int sequence) {
        return new ReportStatus(
                ACCOUNT,
                id(n),
                "demographics",
                Status.PROCESSING,
                ApiDialect.V3,
                attempt,
                sequence,
                NOON.plusMillis(n),
                NOON.plusSeconds(sequence),
                CREDITS,
                new ReportStatus.Progress(ReportPhase.RENDERING, 0.5),
                null,
                null,
                new ReportStatus.Receipt(
                        CREDITS,
                        0,
                        0,
                        "1 credit per result",
                        List.of(id(n) + ".1.reservation", id(n) + ".1.settlement", id(n) + ".1.release")));
    }
}
