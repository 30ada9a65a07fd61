package millrace.processor.ledger.streams;

import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.topics.Topics;
import millrace.processor.ledger.decide.Ledger;
import millrace.processor.ledger.decide.LedgerReport;
import millrace.processor.ledger.decide.PendingChanges;
import millrace.processor.ledger.state.LedgerStores;
import millrace.processor.ledger.state.LedgerTimers;
import millrace.processor.ledger.state.StoreKeys;
import millrace.processor.ledger.streams.AccountStepSupplier.LedgerParts;
import millrace.processor.ledger.streams.DecisionWriter.Outcome;
import millrace.processor.ledger.streams.internals.StoreCache;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides the commands of accounts one by one, and handles their timers. A command that cannot be decided goes to the
 * dead letters; the report that it should have started ends with an error. So does a report whose timer fails.
 */
final class AccountStep implements Processor<String, byte[], String, byte[]> {
    static final String ERROR_HEADER = "millrace.error";

    private static final Logger LOG = LoggerFactory.getLogger(AccountStep.class);
    /** Between two ticks at least, so that one handles what becomes due in this time. */
    private static final Duration TICK = Duration.ofSeconds(1);
    /** Between two markings of the versions that are in use. */
    private static final Duration MARKING = Duration.ofSeconds(30);
    /** Limits the transaction of one tick. Other due items wait for the next tick. */
    private static final int ITEMS_PER_TICK = 200;
    /**
     * Most reports that are over whose files are handed out for deletion, or that are forgotten, in one tick: 8.6 million
     * a day in each partition.
     */
    private static final int ENDED_PER_TICK = 100;
    /** How long no more of them are looked for, where there were fewer. */
    private static final Duration ENDED_IDLE = Duration.ofSeconds(10);
    /** After which time one is tried again that failed. */
    private static final Duration ENDED_AGAIN = Duration.ofDays(1);
    /** After which time a timer is tried again that failed, and whose report could not be ended. */
    private static final Duration TIMER_AGAIN = Duration.ofMinutes(10);

    private final LedgerParts parts;
    private final Ledger ledger;
    private final Supplier<LedgerTransaction> transaction;
    private final Supplier<LedgerStores.Caches> caches;
    private ProcessorContext<String, byte[]> context;
    private LedgerStores stores;
    private LedgerTransaction ofThread;
    private CommitRequests commits;
    private DecisionWriter decisions;
    private StepAlarm ticks;
    private StepAlarm markings;
    private Instant tickNext = Instant.EPOCH;
    private Instant endedNext = Instant.EPOCH;
    /** The end of the commands when this step took over, or later; negative until it is known. */
    private long takenOver = -1;

    /**
     * @param transaction the transaction of the calling thread
     * @param caches those of the calling thread
     */
    @SuppressWarnings("NullAway.Init")
    AccountStep(LedgerParts parts, Supplier<LedgerTransaction> transaction, Supplier<LedgerStores.Caches> caches) {
        this.parts = parts;
        this.ledger = parts.ledger();
        this.transaction = transaction;
        this.caches = caches;
    }

    @Override
    public void init(ProcessorContext<String, byte[]> context) {
        this.context = context;
        KeyValueStore<String, byte[]> store = context.getStateStore(LedgerStores.STORE);
        StoreCache.leaveOutNeedlessRemovals(store);
        this.stores = LedgerStores.of(store, ledger, caches.get(), parts.wall(), context::currentSystemTimeMs);
        this.ofThread = transaction.get();
        this.takenOver = -1;
        this.commits = new CommitRequests(context, ofThread, () -> decisions.takeAnswers());
        this.decisions = new DecisionWriter(parts, stores, context, ofThread, commits);
        this.ticks = new StepAlarm(context, this::tick);
        this.markings = new StepAlarm(context, this::markVersions);
        this.tickNext = now().plus(TICK);
        this.endedNext = Instant.EPOCH;
        stores.timers().onAdded(this::tickAt);
        stores.ended().onAdded(this::tickEndedAt);
        ticks.by(tickNext);
        markVersions();
    }

    /** Wakes this step for a timer. */
    private void tickAt(Instant due) {
        ticks.by(later(now().plus(Duration.between(stores.clock().now(), due)), tickNext));
    }

    private void tickEndedAt(Instant due) {
        Instant time = now().plus(Duration.between(stores.clock().wall(), due));
        ticks.by(later(later(time, endedNext), tickNext));
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    @Override
    public void process(Record<String, byte[]> command) {
        stores.form().write();
        markings.by(now().plus(MARKING));
        decisions.takeAnswers();
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
        parts.listener().read(decoded, command.headers());
        Outcome outcome = decisions.make(command.key(), changes -> ledger.decide(changes, decoded), isNew());
        if (outcome.refused() == null) {
            parts.metrics().decided(decoded);
            return;
        }
        if (outcome.cause() != null) {
            LOG.error("command failed account={}", command.key(), outcome.cause());
        }
        refuse(command, outcome.refused());
        var unused = abandon(command.key(), changes -> ledger.abandon(changes, decoded));
    }

    /**
     * Ends the accepted report of a command that failed, so that the client learns of its end. Returns whether it
     * ended.
     */
    private boolean abandon(String accountId, DecisionWriter.Decision end) {
        Outcome outcome = decisions.attempt(accountId, end);
        if (outcome.refused() != null) {
            LOG.error("report not ended account={} reason={}", accountId, outcome.refused(), outcome.cause());
        }
        return outcome.refused() == null && !outcome.changes().steps().isEmpty();
    }

    /**
     * Whether the command was written after this step had taken over its partition. What was there before may have been
     * read by a process that died of it.
     */
    private boolean isNew() {
        findTakenOver();
        long offset = context.recordMetadata().map(RecordMetadata::offset).orElse(-1L);
        return takenOver >= 0 && offset >= takenOver;
    }

    private void findTakenOver() {
        if (takenOver < 0) {
            takenOver = ofThread.logEnd(context.taskId().partition());
        }
    }

    /** Marks the versions that open reports read, so that they are not deleted, and does so again while there are any. */
    private void markVersions() {
        stores.versions().forEach(version -> {
            markings.by(now().plus(MARKING));
            try {
                parts.versions().inUse(version.dataset(), version.name());
            } catch (UncheckedIOException e) {
                LOG.warn(
                        "data version not marked as in use dataset={} version={} error={}",
                        version.dataset(),
                        version.name(),
                        e.getMessage());
            }
        });
    }

    /** Handles the timers that are due, and sees to it that the step is woken for the next ones. */
    private void tick() {
        tickNext = now().plus(TICK);
        stores.form().write();
        boolean more = stores.migrate();
        findTakenOver();
        more |= fireTimers();
        more |= tickEnded();
        if (more || takenOver < 0) {
            ticks.by(tickNext);
        } else {
            ticks.by(now().plus(StepAlarm.LONGEST));
            stores.timers().next(stores.clock().now().plus(StepAlarm.LONGEST)).ifPresent(this::tickAt);
            stores.ended().next(stores.clock().wall().plus(StepAlarm.LONGEST)).ifPresent(this::tickEndedAt);
        }
    }

    /** Returns whether there were some, so that others may be due soon. */
    private boolean fireTimers() {
        List<LedgerTimers.Item> items = stores.timers().take(stores.clock().now(), ITEMS_PER_TICK);
        if (!items.isEmpty()) {
            markings.by(now().plus(MARKING)); // an attempt may begin
        }
        for (LedgerTimers.Item item : items) {
            UUID reportId = item.reportId();
            Outcome outcome = reportId == null
                    ? decisions.attempt(item.accountId(), ledger::tick)
                    : decisions.make(item.accountId(), changes -> ledger.tick(changes, reportId), false);
            if (outcome.refused() != null) {
                LOG.error("timer failed account={} reportId={}", item.accountId(), reportId, outcome.cause());
                boolean ended =
                        reportId != null && abandon(item.accountId(), changes -> ledger.abandon(changes, reportId));
                if (!ended) {
                    parts.metrics().timerFailed();
                    stores.timers().postpone(item, stores.clock().now().plus(TIMER_AGAIN));
                }
            } else if (outcome.changes().steps().isEmpty()) {
                due(outcome.changes(), reportId).ifPresent(at -> stores.timers().postpone(item, at));
            }
        }
        return !items.isEmpty();
    }

    /** Returns whether there may be more of them now. */
    private boolean tickEnded() {
        Instant now = now();
        if (now.isBefore(endedNext)) {
            return false;
        }
        List<LedgerTimers.Item> items = stores.ended().due(stores.clock().wall(), ENDED_PER_TICK);
        items.forEach(this::tickEnded);
        if (items.size() < ENDED_PER_TICK) {
            endedNext = now.plus(ENDED_IDLE);
        }
        return items.size() == ENDED_PER_TICK;
    }

    private void tickEnded(LedgerTimers.Item item) {
        UUID reportId = Objects.requireNonNull(item.reportId());
        Outcome outcome = decisions.attempt(item.accountId(), changes -> ledger.tickEnded(changes, reportId));
        if (outcome.refused() != null) {
            LOG.error(
                    "ended report neither expired nor forgotten, tried again later account={} reportId={} after={}",
                    item.accountId(),
                    reportId,
                    ENDED_AGAIN,
                    outcome.cause());
            stores.ended().postpone(item, stores.clock().wall().plus(ENDED_AGAIN));
        }
    }

    private Optional<Instant> due(PendingChanges changes, @Nullable UUID reportId) {
        if (reportId == null) {
            return ledger.due(changes.account());
        }
        return report(changes.account().id(), reportId).flatMap(ledger::due);
    }

    private Optional<LedgerReport> report(String accountId, UUID reportId) {
        return Optional.ofNullable(stores.reports().get(StoreKeys.report(accountId, reportId)));
    }

    private void refuse(Record<String, byte[]> command, String reason) {
        parts.metrics().deadLetter();
        LOG.warn("command dead-lettered account={} reason={}", command.key(), reason);
        var headers = new RecordHeaders(command.headers());
        headers.add(ERROR_HEADER, reason.getBytes(StandardCharsets.UTF_8));
        context.forward(
                new Record<>(
                        command.key(), command.value(), stores.clock().wall().toEpochMilli(), headers),
                Topics.COMMAND_DEAD_LETTERS.name());
        commits.decided();
    }

    /** The time of Streams, which this step is woken by. It does not follow where the wall clock is set. */
    private Instant now() {
        return Instant.ofEpochMilli(context.currentSystemTimeMs());
    }
}
