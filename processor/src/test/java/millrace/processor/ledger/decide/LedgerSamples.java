package millrace.processor.ledger.decide;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import millrace.contracts.accounts.PriceRule;
import millrace.contracts.accounts.Quote;
import millrace.contracts.accounts.VersionPrice;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.SliceRef;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.requests.ApiDialect;
import millrace.contracts.requests.Granularity;
import millrace.contracts.requests.ReportQuery;
import millrace.contracts.requests.ReportRequest;
import org.jspecify.annotations.Nullable;

/** Sample requests and answers. */
public final class LedgerSamples {
    public static final Instant NOON = Instant.parse("2026-11-02T12:00:00Z");
    public static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    /** Slices of 10 rows or 2 entities, at most 8; a report 2, an account 3 slices and 2 small reports at a time. */
    public static final LedgerRules RULES = new LedgerRules(
            new LedgerRules.Slicing(10, 2, 8),
            new LedgerRules.Turns(2, 3, 2),
            new LedgerRules.Times(
                    Duration.ofSeconds(30),
                    Duration.ofDays(1),
                    Duration.ofDays(30),
                    Duration.ofDays(365),
                    Duration.ofDays(400),
                    Duration.ofDays(29)));

    private LedgerSamples() {}

    /** The id of the report that a test gives this name. */
    public static UUID id(String name) {
        return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
    }

    /** A report of 1 credit per result for this number of domains. */
    public static AccountCommand.RequestReport request(
            UUID id, long credits, long rows, int entities, @Nullable Integer limit) {
        var query = new ReportQuery(
                "demographics",
                IntStream.range(0, entities)
                        .mapToObj(i -> String.format("e%05d.example", i))
                        .toList(),
                List.of("DE"),
                List.of("demographics_share"),
                new ReportQuery.Dates(
                        Granularity.MONTHLY, LocalDate.parse("2026-09-01"), LocalDate.parse("2026-10-01")),
                Map.of(),
                false,
                limit,
                ReportQuery.Output.CSV);
        return new AccountCommand.RequestReport(
                id,
                new ReportRequest(query, null, null, ApiDialect.V3),
                new Quote(credits, rows, PriceRule.PER_RESULT.countingRevealed(true)),
                null,
                NOON,
                TRACE);
    }

    public static AccountCommand.RequestReport withWebhook(AccountCommand.RequestReport r, String url) {
        return with(r, new ReportRequest(r.request().query(), url, null, ApiDialect.V3));
    }

    public static AccountCommand.RequestReport withOffset(AccountCommand.RequestReport r, int offset) {
        return with(r, r.request().withQuery(r.request().query().withOffset(offset)));
    }

    /** A request whose report becomes so many files. */
    public static AccountCommand.RequestReport inParts(AccountCommand.RequestReport r, int parts) {
        var split = new ReportQuery.Split(10_000, parts);
        return with(r, r.request().withQuery(r.request().query().withSplit(split)));
    }

    static AccountCommand.RequestReport keptFor(AccountCommand.RequestReport r, int days) {
        ReportQuery query = r.request().query();
        return with(r, new ReportRequest(query, null, null, ApiDialect.ORIGINAL, "weekly audience", days, null));
    }

    static AccountCommand.RequestReport withMaxCredits(AccountCommand.RequestReport r, long most) {
        return with(r, new ReportRequest(r.request().query(), null, most, ApiDialect.V3));
    }

    private static AccountCommand.RequestReport with(AccountCommand.RequestReport r, ReportRequest request) {
        return with(r, request, r.idempotency(), null, null);
    }

    /** A request that costs so much if it reads a version. */
    static AccountCommand.RequestReport costingIn(AccountCommand.RequestReport r, VersionPrice price) {
        return with(r, r.request(), r.idempotency(), r.historyDays(), price);
    }

    static AccountCommand.RequestReport knownFor(AccountCommand.RequestReport r, int days) {
        return with(r, r.request(), r.idempotency(), days, r.versionPrice());
    }

    public static AccountCommand.RequestReport withKey(AccountCommand.RequestReport r, String key, String hash) {
        return with(r, r.request(), new AccountCommand.Idempotency(key, hash), null, null);
    }

    private static AccountCommand.RequestReport with(
            AccountCommand.RequestReport r,
            ReportRequest request,
            AccountCommand.@Nullable Idempotency idempotency,
            @Nullable Integer historyDays,
            @Nullable VersionPrice price) {
        return new AccountCommand.RequestReport(
                r.reportId(),
                request,
                r.quote(),
                idempotency,
                r.submittedAt(),
                r.traceparent(),
                r.warnings(),
                historyDays,
                price,
                r.querySha256());
    }

    public static StoredFile file(SliceRef slice) {
        return new StoredFile(
                slice.reportId() + "/" + slice.attempt() + "/" + slice.slice() + "-" + slice.dispatch(), 100, "ab");
    }
}
