package millrace.bench.ledger;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import millrace.catalog.Catalog;
import millrace.catalog.access.Entitlements;
import millrace.catalog.dataset.CapabilityCategory;
import millrace.catalog.validation.CheckedRequest;
import millrace.catalog.validation.RequestLimits;
import millrace.catalog.validation.RequestValidator;
import millrace.contracts.Hashes;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.SliceRef;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.requests.ApiDialect;
import millrace.contracts.requests.ReportRequest;

/**
 * Makes commands of accounts {@code a0}, {@code a1}, …: each report reserves when it is requested,
 * and is settled when its only slice is answered. Five domains in three countries over ten months.
 */
public final class LedgerCommands {
    /** Commands of a report. */
    public static final int PER_REPORT = 2;

    private static final String TRACE = "00-00000000000000000000000000000001-0000000000000001-00";
    private static final int DOMAINS = 5;
    private static final ResultCounts COUNTS = new ResultCounts(1_800, 3_000, 0);

    private final int accounts;
    private final boolean keys;
    private final CheckedRequest.Valid template;

    /**
     * @param webhooks whether requests have a webhook URL
     * @param keys whether they have an Idempotency-Key
     */
    public LedgerCommands(int accounts, boolean webhooks, boolean keys) {
        this.accounts = accounts;
        this.keys = keys;
        this.template = template(webhooks ? ",\"webhook_url\":\"http://127.0.0.1:9/hook\"" : "");
    }

    int accounts() {
        return accounts;
    }

    String account(long report) {
        return "a" + report % accounts;
    }

    /** Credits for all reports of the account. */
    AccountCommand grant(int account) {
        return new AccountCommand.GrantCredits("opening-a" + account, 1_000_000_000_000L, "opening credits");
    }

    AccountCommand request(long report) {
        ReportRequest same = template.request();
        List<String> domains = IntStream.range(0, DOMAINS)
                .mapToObj(i -> (char) ('a' + i) + Long.toString(report) + ".example")
                .toList();
        var request = new ReportRequest(
                same.query().withEntities(domains), same.webhookUrl(), same.maxCredits(), same.dialect());
        var once = keys
                ? new AccountCommand.Idempotency(Hashes.sha256("key-" + report), Hashes.sha256("request-" + report))
                : null;
        return new AccountCommand.RequestReport(id(report), request, template.quote(), once, Instant.now(), TRACE);
    }

    AccountCommand done(long report) {
        UUID id = id(report);
        String hash = Hashes.sha256(id.toString());
        var file = new StoredFile(id + "/1/0-" + hash.substring(0, 32) + ".csv", 48_000, hash);
        return new AccountCommand.SliceDone(new SliceRef(id, 1, 0, 1), file, COUNTS);
    }

    private static UUID id(long report) {
        return UUID.nameUUIDFromBytes(("report-" + report).getBytes(StandardCharsets.UTF_8));
    }

    private static CheckedRequest.Valid template(String more) {
        var access = new Entitlements.Access(
                Set.of("US", "GB", "WW"), LocalDate.parse("2020-01-01"), LocalDate.parse("2026-12-31"));
        String body = """
                {"domains":["a.example","b.example","c.example","d.example","e.example"],
                 "countries":["US","GB","WW"],"metrics":["demographics_share","demographics_bounce_rate"],
                 "start_date":"2025-01","end_date":"2025-10","granularity":"monthly"%s}""".formatted(more);
        CheckedRequest checked = new RequestValidator(RequestLimits.DEFAULT)
                .validate(
                        Catalog.builtIn().dataset("demographics").orElseThrow(),
                        body.getBytes(StandardCharsets.UTF_8),
                        new Entitlements(
                                Map.of(CapabilityCategory.WEB_DESKTOP, access, CapabilityCategory.WEB_MOBILE, access)),
                        ApiDialect.V3);
        return switch (checked) {
            case CheckedRequest.Valid valid -> valid;
            case CheckedRequest.Invalid invalid ->
                throw new IllegalStateException("not a request: " + invalid.errors());
        };
    }
}
