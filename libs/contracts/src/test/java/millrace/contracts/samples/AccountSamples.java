package millrace.contracts.samples;

import static millrace.contracts.accounts.PriceRule.PER_RESULT;
import static millrace.contracts.samples.SampleValues.ACCOUNT;
import static millrace.contracts.samples.SampleValues.COMPRESSED;
import static millrace.contracts.samples.SampleValues.COUNTS;
import static millrace.contracts.samples.SampleValues.HASH;
import static millrace.contracts.samples.SampleValues.LIST;
import static millrace.contracts.samples.SampleValues.PART;
import static millrace.contracts.samples.SampleValues.QUERY;
import static millrace.contracts.samples.SampleValues.REPORT;
import static millrace.contracts.samples.SampleValues.TRACE;
import static millrace.contracts.samples.SampleValues.URL;
import static millrace.contracts.samples.SampleValues.at;

import java.util.List;
import java.util.UUID;
import millrace.contracts.Hashes;
import millrace.contracts.accounts.AccountState;
import millrace.contracts.accounts.LedgerEntry;
import millrace.contracts.accounts.Quote;
import millrace.contracts.accounts.VersionPrice;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.AccountCommand.RequestReport;
import millrace.contracts.commands.SliceRef;
import millrace.contracts.reports.ErrorCode;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.requests.ApiDialect;
import millrace.contracts.requests.QueryHash;
import millrace.contracts.requests.ReportQuery;
import millrace.contracts.requests.ReportRequest;
import millrace.contracts.topics.Topics;
import org.jspecify.annotations.Nullable;

/** What happens to an account, and what its ledger says. */
final class AccountSamples {
    private static final RequestReport FULL = new RequestReport(
            REPORT,
            new ReportRequest(QUERY, URL, 300L, ApiDialect.V3),
            new Quote(208, 52, PER_RESULT),
            new AccountCommand.Idempotency(Hashes.sha256("key"), Hashes.sha256("request")),
            at("08:15:30.120"),
            TRACE);

    private static final RequestReport BARE =
            request(new ReportRequest(QUERY, null, null, ApiDialect.ORIGINAL), new Quote(208, 52, PER_RESULT));

    private static final RequestReport LISTED = request(
            new ReportRequest(QUERY.with(QUERY.entities(), LIST), null, null, ApiDialect.V3),
            new Quote(520, 130, PER_RESULT));

    private static final RequestReport ZIPPED =
            request(new ReportRequest(COMPRESSED, null, null, ApiDialect.V3), new Quote(208, 52, PER_RESULT));

    private static final RequestReport FILTERED =
            request(new ReportRequest(SampleValues.FILTERED, null, null, ApiDialect.V3), new Quote(5, 500, PER_RESULT));

    private static final RequestReport IN_PARTS = request(
            new ReportRequest(QUERY.withSplit(new ReportQuery.Split(null, 2, 2)), null, null, ApiDialect.V3),
            new Quote(208, 52, PER_RESULT));

    private static final RequestReport WARNED = new RequestReport(
            REPORT,
            new ReportRequest(QUERY, null, null, ApiDialect.V3),
            new Quote(208, 52, PER_RESULT),
            null,
            at("08:15:30.120"),
            TRACE,
            SampleValues.WARNINGS,
            null,
            null,
            null);

    private static final RequestReport NAMED = request(
            new ReportRequest(QUERY, null, null, ApiDialect.ORIGINAL, "weekly audience", 180, null),
            new Quote(208, 52, PER_RESULT));

    private static final RequestReport BRIEFLY_KNOWN = new RequestReport(
            REPORT,
            new ReportRequest(QUERY, null, null, ApiDialect.V3),
            new Quote(208, 52, PER_RESULT),
            null,
            at("08:15:30.120"),
            TRACE,
            null,
            90,
            null,
            null);

    private static final RequestReport PARTLY_KNOWN = new RequestReport(
            REPORT,
            new ReportRequest(QUERY, null, null, ApiDialect.V3),
            new Quote(208, 52, PER_RESULT),
            null,
            at("08:15:30.120"),
            TRACE,
            SampleValues.WARNINGS,
            null,
            new VersionPrice("20261121-061530", 104),
            null);

    private static final RequestReport TAGGED = new RequestReport(
            REPORT,
            new ReportRequest(QUERY, null, null, ApiDialect.V3, null, null, SampleValues.TAGS),
            new Quote(208, 52, PER_RESULT),
            null,
            at("08:15:30.120"),
            TRACE,
            null,
            null,
            new VersionPrice("20261121-061530", 104, true),
            QueryHash.of(QUERY));

    static final List<MessageSample<?>> ALL = List.of(
            command("grant_credits", new AccountCommand.GrantCredits("opening-acme", 100_000, "opening credits")),
            command("expire_credits", new AccountCommand.ExpireCredits("expiry-2026-11", 500, "end of the contract")),
            command("request_report", FULL),
            command("request_report-without-options", BARE),
            command("request_report-of-a-list", LISTED),
            command("request_report-of-a-long-filter", FILTERED),
            command("request_report-compressed", ZIPPED),
            command("request_report-in-parts", IN_PARTS),
            command("request_report-with-warnings", WARNED),
            command("request_report-with-a-history", BRIEFLY_KNOWN),
            command("request_report-with-unknown-entities", PARTLY_KNOWN),
            command("request_report-with-a-name", NAMED),
            command("request_report-with-tags", TAGGED),
            command("retry_report", new AccountCommand.RetryReport(REPORT, 2)),
            command("cancel_report", new AccountCommand.CancelReport(REPORT)),
            command("erase_report", new AccountCommand.EraseReport(REPORT)),
            command("slice_running", new AccountCommand.SliceRunning(new SliceRef(REPORT, 1, 0, 1), 12_000)),
            command("slice_done", new AccountCommand.SliceDone(new SliceRef(REPORT, 1, 0, 1), PART, COUNTS)),
            command(
                    "slice_done-with-skipped-rows",
                    new AccountCommand.SliceDone(new SliceRef(REPORT, 1, 0, 1), PART, COUNTS, 148L)),
            command(
                    "slice_failed",
                    new AccountCommand.SliceFailed(
                            new SliceRef(REPORT, 1, 3, 2), ErrorCode.DATASET_UNAVAILABLE, "the warehouse is away")),
            command(
                    "slice_failed-with-a-cause",
                    new AccountCommand.SliceFailed(
                            new SliceRef(REPORT, 1, 3, 2),
                            ErrorCode.DATASET_UNAVAILABLE,
                            "The data could not be read.",
                            null,
                            "java.sql.SQLException: the connection was refused")),
            command(
                    "slice_failed-for-good",
                    new AccountCommand.SliceFailed(
                            new SliceRef(REPORT, 1, 3, 1),
                            ErrorCode.RENDER_FAILED,
                            "Rendering ended its worker 3 times.",
                            true)),
            command(
                    "assembled",
                    new AccountCommand.Assembled(
                            new SliceRef(REPORT, 1, SliceRef.ASSEMBLY, 1),
                            new StoredFile(REPORT + "/1/report-1", 98_765, HASH))),
            new MessageSample<>(Topics.REPORT_REQUESTS, "with-options", FULL),
            new MessageSample<>(Topics.REPORT_REQUESTS, "without-options", BARE),
            new MessageSample<>(Topics.REPORT_REQUESTS, "of-a-list", LISTED),
            new MessageSample<>(Topics.REPORT_REQUESTS, "of-a-long-filter", FILTERED),
            new MessageSample<>(Topics.REPORT_REQUESTS, "compressed", ZIPPED),
            new MessageSample<>(Topics.REPORT_REQUESTS, "with-warnings", WARNED),
            new MessageSample<>(Topics.REPORT_REQUESTS, "with-a-name", NAMED),
            new MessageSample<>(Topics.REPORT_REQUESTS, "with-tags", TAGGED),
            new MessageSample<>(Topics.REPORT_REQUESTS, "with-a-history", BRIEFLY_KNOWN),
            new MessageSample<>(Topics.REPORT_REQUESTS, "with-unknown-entities", PARTLY_KNOWN),
            new MessageSample<>(
                    Topics.ACCOUNT_STATE, "balance", new AccountState(ACCOUNT, 100_000, 208, 1_000, 98_792, 1, 42)),
            entry("grant", "opening-acme", 1, LedgerEntry.Kind.GRANT, null, 100_000, 0, 0),
            entry("reservation", REPORT + ".1.reservation", 2, LedgerEntry.Kind.RESERVATION, REPORT, 208, 208, 0),
            entry("settlement", REPORT + ".1.settlement", 3, LedgerEntry.Kind.SETTLEMENT, REPORT, 190, 18, 190),
            entry("release", REPORT + ".1.release", 4, LedgerEntry.Kind.RELEASE, REPORT, 18, 0, 190),
            entry("opening", "opening.acme.5", 5, LedgerEntry.Kind.OPENING, null, 99_810, 0, 190),
            new MessageSample<>(
                    Topics.CREDIT_LEDGER,
                    "expiry",
                    new LedgerEntry(
                            "expiry-2026-11",
                            ACCOUNT,
                            6,
                            LedgerEntry.Kind.EXPIRY,
                            null,
                            500,
                            99_500,
                            0,
                            190,
                            99_310,
                            at("08:15:30.250"))));

    private AccountSamples() {}

    private static RequestReport request(ReportRequest request, Quote quote) {
        return new RequestReport(REPORT, request, quote, null, at("08:15:30.120"), TRACE);
    }

    private static MessageSample<?> command(String name, AccountCommand command) {
        return new MessageSample<>(Topics.ACCOUNT_COMMANDS, name, command);
    }

    private static MessageSample<?> entry(
            String name,
            String id,
            long sequence,
            LedgerEntry.Kind kind,
            @Nullable UUID report,
            long amount,
            long reserved,
            long used) {
        return new MessageSample<>(
                Topics.CREDIT_LEDGER,
                name,
                new LedgerEntry(
                        id,
                        ACCOUNT,
                        sequence,
                        kind,
                        report,
                        amount,
                        100_000,
                        reserved,
                        used,
                        100_000 - reserved - used,
                        at("08:15:30.250")));
    }
}
