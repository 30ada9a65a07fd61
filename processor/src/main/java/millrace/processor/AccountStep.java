package millrace.processor;

import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import millrace.contracts.AccountCommand;
import millrace.contracts.Topics;
import millrace.processor.account.Draft;
import millrace.processor.account.Ledger;
import millrace.processor.account.Report;
import millrace.processor.account.Verdict;
import millrace.processor.warehouse.DataVersions;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.errors.StreamsException;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One command at a time: read, decide, encode, and only then write. What goes wrong before the first write sends the command to
 * the dead letters; what goes wrong after it ends the process, so that the transaction is undone.
 */
final class AccountStep implements Processor<String, byte[], String, byte[]> {
    static final String ERROR_HEADER = "millrace.error";

    private static final Logger LOG = LoggerFactory.getLogger(AccountStep.class);
    private static final Duration TICK = Duration.ofSeconds(1);
    private static final Duration MARKING = Duration.ofSeconds(30);
    /** Bounds the transaction of one tick; the rest waits for the next. */
    private static final int ITEMS_PER_TICK = 200;

    private final Ledger ledger;
    private final DataVersions versions;
    private final Outbox outbox;
    private final LedgerFigures figures;
    private final Supplier<CommitPace> pace;
    private ProcessorContext<String, byte[]> context;
    private LedgerStores stores;
    private CommitRequests commits;

    @SuppressWarnings("NullAway.Init")
    AccountStep(Ledger ledger, DataVersions versions, Outbox outbox, LedgerFigures figures, Supplier<CommitPace> pace) {
        this.ledger = ledger;
        this.versions = versions;
        this.outbox = outbox;
        this.figures = figures;
        this.pace = pace;
    }

    @Override
    public void init(ProcessorContext<String, byte[]> context) {
        this.context = context;
        this.stores = LedgerStores.of(context, ledger);
        this.commits = new CommitRequests(context, pace.get());
        context.schedule(TICK, PunctuationType.WALL_CLOCK_TIME, time -> tick());
        context.schedule(MARKING, PunctuationType.WALL_CLOCK_TIME, time -> markVersions());
        markVersions();
    }

    @Override
    public void process(Record<String, byte[]> command) {
        if (command.key() == null || command.value() == null) {
            refuse(command, "a command has the account as its key, and a value");
            return;
        }
        AccountCommand decoded;
        try {
            decoded = Topics.ACCOUNT_COMMANDS.decode(command.value());
        } catch (SerializationException e) {
            refuse(command, String.valueOf(e.getMessage()));
            return;
        }
        Draft draft = draft(command.key());
        List<Outbox.Outgoing> out;
        try {
            if (ledger.decide(draft, decoded) instanceof Verdict.Refused refused) {
                refuse(command, refused.reason());
                abandon(command.key(), d -> ledger.abandon(d, decoded));
                return;
            }
            out = outbox.records(draft);
        } catch (StreamsException e) {
            throw e;
        } catch (RuntimeException e) {
            LOG.error("command of account {} cannot be decided", command.key(), e);
            refuse(command, String.valueOf(e.getMessage()));
            abandon(command.key(), d -> ledger.abandon(d, decoded));
            return;
        }
        write(draft, out);
        figures.decided(decoded);
    }

    /** What was accepted ends, also where it cannot be done. */
    private void abandon(String accountId, Consumer<Draft> end) {
        Draft draft = draft(accountId);
        List<Outbox.Outgoing> out;
        try {
            end.accept(draft);
            out = outbox.records(draft);
        } catch (StreamsException e) {
            throw e;
        } catch (RuntimeException e) {
            LOG.error("what account {} asked for cannot even be ended", accountId, e);
            return;
        }
        write(draft, out);
    }

    /** What open reports read is kept. */
    private void markVersions() {
        stores.versions().forEach(version -> {
            try {
                versions.inUse(version.dataset(), version.name());
            } catch (UncheckedIOException e) {
                LOG.warn("version {} cannot be marked as read: {}", version, e.getMessage());
            }
        });
    }

    private void tick() {
        for (Agenda.Item item : stores.agenda().take(now(), ITEMS_PER_TICK)) {
            Draft draft = draft(item.accountId());
            List<Outbox.Outgoing> out;
            try {
                decide(draft, item.reportId());
                out = outbox.records(draft);
            } catch (StreamsException e) {
                throw e;
            } catch (RuntimeException e) {
                LOG.error("what time brings to {} cannot be decided", item, e);
                UUID reportId = item.reportId();
                if (reportId != null) {
                    abandon(item.accountId(), d -> ledger.abandon(d, reportId));
                }
                continue;
            }
            write(draft, out);
            if (draft.steps().isEmpty()) {
                stores.agenda().again(item, due(draft, item.reportId()));
            }
        }
    }

    private void decide(Draft draft, @Nullable UUID reportId) {
        if (reportId == null) {
            ledger.tick(draft);
        } else {
            ledger.tick(draft, reportId);
        }
    }

    private Optional<Instant> due(Draft draft, @Nullable UUID reportId) {
        if (reportId == null) {
            return ledger.due(draft.account());
        }
        Report report = stores.reports().get(Keys.report(draft.account().id(), reportId));
        return report == null ? Optional.empty() : ledger.due(report);
    }

    private Draft draft(String accountId) {
        return new Draft(new StoredBooks(accountId, stores, versions), now());
    }

    private void write(Draft draft, List<Outbox.Outgoing> out) {
        stores.save(draft);
        out.forEach(o -> context.forward(o.record(), o.topic()));
        figures.wrote(draft.steps(), draft.now());
        LedgerSpans.wrote(draft.steps(), draft.now());
        commits.decided();
    }

    private void refuse(Record<String, byte[]> command, String reason) {
        figures.deadLetter();
        LOG.warn("command of account {} goes to the dead letters: {}", command.key(), reason);
        var headers = new RecordHeaders(command.headers());
        headers.add(ERROR_HEADER, reason.getBytes(StandardCharsets.UTF_8));
        context.forward(
                new Record<>(command.key(), command.value(), now().toEpochMilli(), headers),
                Topics.COMMAND_DEAD_LETTERS.name());
    }

    private Instant now() {
        return Instant.ofEpochMilli(context.currentSystemTimeMs());
    }
}
