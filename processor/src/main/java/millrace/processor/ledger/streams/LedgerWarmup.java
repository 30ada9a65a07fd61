package millrace.processor.ledger.streams;

import java.io.IOException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import millrace.contracts.Json;
import millrace.contracts.accounts.PriceRule;
import millrace.contracts.accounts.Quote;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.SliceRef;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.requests.ApiDialect;
import millrace.contracts.requests.Granularity;
import millrace.contracts.requests.ReportQuery;
import millrace.contracts.requests.ReportRequest;
import millrace.contracts.topics.Topics;
import millrace.processor.ledger.decide.AccountReader;
import millrace.processor.ledger.decide.EndedReport;
import millrace.processor.ledger.decide.Ledger;
import millrace.processor.ledger.decide.LedgerAccount;
import millrace.processor.ledger.decide.LedgerReport;
import millrace.processor.ledger.decide.PendingChanges;
import millrace.processor.ledger.decide.SliceAnswer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a made-up report through the ledger and discards the result. The JVM loads and compiles the code before a
 * processor takes over from another one, and not while clients wait.
 */
public final class LedgerWarmup {
    private static final Logger LOG = LoggerFactory.getLogger(LedgerWarmup.class);
    private static final int ROUNDS = 200;
    private static final UUID REPORT = new UUID(0, 1);

    private final Ledger ledger;
    private final LedgerRecords records;
    private final Instant now;

    public LedgerWarmup(Ledger ledger, LedgerRecords records, Instant now) {
        this.ledger = ledger;
        this.records = records;
        this.now = now;
    }

    /** Runs the warm-up, which takes less than a second. Errors are logged only. */
    public void run() {
        try {
            for (int i = 0; i < ROUNDS; i++) {
                once();
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn("warm-up failed, the first report will be slower", e);
        }
    }

    /** Returns the number of records that the report would have written. */
    int once() throws IOException {
        var changes = new PendingChanges(new NothingKnown("warmup"), now);
        for (AccountCommand command : commands()) {
            byte[] sent = Topics.ACCOUNT_COMMANDS.encode(command);
            var unused = ledger.decide(changes, Topics.ACCOUNT_COMMANDS.decode(sent));
            ledger.turns(changes);
        }
        reread(changes.account(), LedgerAccount.class);
        for (LedgerReport report : reports(changes)) {
            reread(report, LedgerReport.class);
        }
        return records.records(changes).size();
    }

    private static List<LedgerReport> reports(PendingChanges changes) {
        var reports = new ArrayList<LedgerReport>();
        changes.reports().forEachChange((id, before, after) -> {
            if (after != null) {
                reports.add(after);
            }
        });
        return reports;
    }

    /** Decodes an encoded value, as the stores do. */
    private static void reread(Object state, Class<?> type) throws IOException {
        var unused = Json.MAPPER.readValue(Json.bytes(state), type);
    }

    private List<AccountCommand> commands() {
        var query = new ReportQuery(
                "warmup",
                List.of("one.example"),
                List.of("US"),
                List.of("metric"),
                new ReportQuery.Dates(Granularity.MONTHLY, LocalDate.EPOCH, LocalDate.EPOCH),
                Map.of(),
                false,
                null,
                ReportQuery.Output.CSV);
        var quote = new Quote(1, 1, PriceRule.PER_RESULT.countingRevealed(true));
        var request = new ReportRequest(query, "http://receiver.example/", null, ApiDialect.V3);
        var slice = new SliceRef(REPORT, 1, 0, 1);
        return List.of(
                new AccountCommand.GrantCredits("warmup", 10, "warmup"),
                new AccountCommand.RequestReport(REPORT, request, quote, null, now, ""),
                new AccountCommand.SliceDone(slice, new StoredFile("file", 1, "00"), new ResultCounts(1, 1, 1)));
    }

    /** An account without any state. */
    private record NothingKnown(String id) implements AccountReader {
        @Override
        public LedgerAccount account() {
            return LedgerAccount.fresh(id);
        }

        @Override
        public @Nullable LedgerReport report(UUID reportId) {
            return null;
        }

        @Override
        public @Nullable EndedReport ended(UUID reportId) {
            return null;
        }

        @Override
        public AccountCommand.@Nullable RequestReport request(UUID reportId) {
            return null;
        }

        @Override
        public @Nullable SliceAnswer answer(AnswerKey key) {
            return null;
        }

        @Override
        public boolean granted(String grantId) {
            return false;
        }

        @Override
        public @Nullable UUID claimant(String keyHash) {
            return null;
        }

        @Override
        public boolean claimedByEnded(String keyHash) {
            return false;
        }

        @Override
        public @Nullable UUID ticket(TicketKey key) {
            return null;
        }

        @Override
        public Optional<DataVersion> dataVersion(String dataset, @Nullable String pinned) {
            return Optional.of(new DataVersion("warmup", null));
        }
    }
}
