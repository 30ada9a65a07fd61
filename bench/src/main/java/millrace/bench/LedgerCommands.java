package millrace.bench;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import millrace.catalog.Catalog;
import millrace.catalog.Category;
import millrace.catalog.Checked;
import millrace.catalog.Entitlements;
import millrace.catalog.Limits;
import millrace.catalog.RequestValidator;
import millrace.contracts.AccountCommand;
import millrace.contracts.Counts;
import millrace.contracts.Dialect;
import millrace.contracts.Hashes;
import millrace.contracts.PartFile;
import millrace.contracts.ReportRequest;
import millrace.contracts.SliceRef;

/**
 * Commands of so many accounts {@code a0}, {@code a1}, …: each report reserves when it is requested, and is settled when its
 * only slice is answered. Five domains in three countries over ten months.
 */
public final class LedgerCommands {
    /** What a report takes. */
    public static final int PER_REPORT = 2;

    private static final String TRACE = "00-00000000000000000000000000000001-0000000000000001-00";
    private static final int DOMAINS = 5;
    private static final Counts COUNTS = new Counts(1_800, 3_000, 0);

    private final int accounts;
    private final Checked.Valid template;

    /** @param webhooks whether somebody wants to be told */
    public LedgerCommands(int accounts, boolean webhooks) {
        this.accounts = accounts;
        this.template = template(webhooks ? ",\"webhook_url\":\"http://127.0.0.1:9/hook\"" : "");
    }

    int accounts() {
        return accounts;
    }

    public String account(long report) {
        return "a" + report % accounts;
    }

    /** Credits for everything. */
    public AccountCommand grant(int account) {
        return new AccountCommand.GrantCredits("opening-a" + account, 1_000_000_000_000L, "opening credits");
    }

    public AccountCommand request(long report) {
        ReportRequest same = template.request();
        List<String> domains = IntStream.range(0, DOMAINS)
                .mapToObj(i -> (char) ('a' + i) + Long.toString(report) + ".example")
                .toList();
        var request = new ReportRequest(
                same.query().withEntities(domains), same.webhookUrl(), same.maxCredits(), same.dialect());
        return new AccountCommand.RequestReport(id(report), request, template.quote(), null, Instant.now(), TRACE);
    }

    public AccountCommand done(long report) {
        UUID id = id(report);
        String hash = Hashes.sha256(id.toString());
        var file = new PartFile(id + "/1/0-" + hash.substring(0, 32) + ".csv", 48_000, hash);
        return new AccountCommand.SliceDone(new SliceRef(id, 1, 0, 1), file, COUNTS);
    }

    public static UUID id(long report) {
        return UUID.nameUUIDFromBytes(("report-" + report).getBytes(StandardCharsets.UTF_8));
    }

    private static Checked.Valid template(String more) {
        var access = new Entitlements.Access(
                Set.of("US", "GB", "WW"), LocalDate.parse("2020-01-01"), LocalDate.parse("2026-12-31"));
        String body = """
                {"domains":["a.example","b.example","c.example","d.example","e.example"],
                 "countries":["US","GB","WW"],"metrics":["demographics_share","demographics_bounce_rate"],
                 "start_date":"2025-01","end_date":"2025-10","granularity":"monthly"%s}""".formatted(more);
        Checked checked = new RequestValidator(Limits.DEFAULT)
                .validate(
                        Catalog.builtIn().dataset("demographics").orElseThrow(),
                        body.getBytes(StandardCharsets.UTF_8),
                        new Entitlements(Map.of(Category.WEB_DESKTOP, access, Category.WEB_MOBILE, access)),
                        Dialect.V3);
        return switch (checked) {
            case Checked.Valid valid -> valid;
            case Checked.Invalid invalid -> throw new IllegalStateException("not a request: " + invalid.errors());
        };
    }
}
