package millrace.gateway.accounts;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import millrace.contracts.accounts.AccountRecord;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.topics.Topics;
import millrace.gateway.accounts.rules.AccountChange;
import millrace.gateway.accounts.rules.AccountDecision;
import millrace.gateway.accounts.rules.AccountRules;
import millrace.gateway.accounts.rules.DuplicateKeyCheck;
import millrace.gateway.kafka.PartitionEnds;
import millrace.runtime.accounts.Accounts;
import millrace.runtime.accounts.AccountsReader;
import millrace.runtime.kafka.FoldedOffsets;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Changes accounts, one change at a time in the whole cluster: whoever writes takes the one transactional id from whoever had
 * it, reads all that was written before, decides, and commits account, audit and the ledger's commands together. Who lost the
 * id meanwhile has written nothing, and begins again.
 */
public final class AccountWriter {
    /** Also in access control lists. */
    public static final String TRANSACTIONAL_ID = "millrace-accounts";

    private static final String CLOCK = "the clock of this gateway is ahead of Kafka's by more than an hour";
    private static final int TRIES = 8;
    /** Of the time that a lost try took, for the longest pause after it: the other needs as much time to end. */
    private static final int DOUBLINGS = 3;

    /** Changes of one transaction. */
    private static final int AT_ONCE = 200;

    private final ReentrantLock lock = new ReentrantLock();
    private final KafkaSettings kafka;
    private final PartitionEnds logEnds;
    private final Accounts accounts;
    private final AccountsReader reader;
    private final FoldedOffsets positions;
    private final InstantSource clock;
    private final Duration timeout;
    private final BiConsumer<String, AccountCommand> appended;

    /** @param appended told of each command to the ledger that was written, and its account */
    public AccountWriter(
            Accounts accounts,
            AccountsReader reader,
            FoldedOffsets positions,
            Context context,
            BiConsumer<String, AccountCommand> appended) {
        this.accounts = accounts;
        this.reader = reader;
        this.positions = positions;
        this.kafka = context.kafka();
        this.logEnds = context.ends();
        this.clock = context.clock();
        this.timeout = context.timeout();
        this.appended = appended;
    }

    /** @param timeout for each step that Kafka has to take */
    public record Context(KafkaSettings kafka, PartitionEnds ends, InstantSource clock, Duration timeout) {}

    /** @param reason in the words of who wants it, or null */
    public record RequestedChange(
            String accountId,
            AccountChange change,
            @Nullable String reason) {}

    /**
     * Makes the change; returns when this gateway knows it.
     *
     * @param actor the name of the admin key, or what else wants it
     * @throws InvalidTimestampException where the clock of this process is ahead of Kafka's: nothing was changed
     * @throws KafkaException where Kafka does not answer in time: whether the change was made is not known
     */
    public AccountDecision change(String actor, RequestedChange wanted) {
        return change(actor, List.of(wanted)).getFirst();
    }

    /** All of them, of different accounts, but for those that are refused, or none; see {@link #change(String, RequestedChange)}. */
    public List<AccountDecision> change(String actor, List<RequestedChange> wanted) {
        lock.lock();
        try {
            for (int i = 1; ; i++) {
                long began = System.nanoTime();
                try {
                    return changeOnce(actor, wanted);
                } catch (KafkaException e) {
                    if (AccountTransaction.refusedForItsClock(e)) {
                        throw new InvalidTimestampException(CLOCK);
                    }
                    if (!AccountTransaction.fenced(e) || i == TRIES) {
                        throw e;
                    }
                    long took = System.nanoTime() - began;
                    TimeUnit.NANOSECONDS.sleep(ThreadLocalRandom.current().nextLong(took << Math.min(i, DOUBLINGS)));
                }
            }
        } catch (InterruptedException e) {
            throw new InterruptException(e);
        } finally {
            lock.unlock();
        }
    }

    /** Whether all of them were made already, as this gateway knows without asking Kafka to write. */
    boolean wouldChangeNothing(List<RequestedChange> wanted) {
        return reader.caughtUp() && decide(wanted).stream().allMatch(AccountDecision.Unchanged.class::isInstance);
    }

    /** Very many, of different accounts, in transactions of a bounded size: those before one that fails are made. */
    public void changeEach(String actor, List<RequestedChange> wanted) {
        for (int from = 0; from < wanted.size(); from += AT_ONCE) {
            change(actor, wanted.subList(from, Math.min(wanted.size(), from + AT_ONCE)));
        }
    }

    private List<AccountDecision> changeOnce(String actor, List<RequestedChange> wanted) throws InterruptedException {
        try (var transaction = AccountTransaction.begin(kafka, TRANSACTIONAL_ID, timeout)) {
            awaitEndOfAccounts();
            List<AccountDecision> decisions = decide(wanted);
            List<ProducerRecord<String, byte[]>> records = new ArrayList<>();
            for (int i = 0; i < wanted.size(); i++) {
                if (decisions.get(i) instanceof AccountDecision.Changed changed) {
                    RequestedChange w = wanted.get(i);
                    AccountRecord before = accounts.record(w.accountId()).orElse(null);
                    records.addAll(AccountChangeRecords.of(before, changed, actor, w.reason()));
                }
            }
            if (!records.isEmpty()) {
                transaction.commit(records);
                notifyOfCommands(decisions);
                await(decisions);
            }
            return decisions;
        }
    }

    private List<AccountDecision> decide(List<RequestedChange> wanted) {
        Instant now = clock.instant();
        List<AccountDecision> decisions = new ArrayList<>();
        for (RequestedChange w : wanted) {
            AccountRecord before = accounts.record(w.accountId()).orElse(null);
            decisions.add(AccountRules.decide(w.accountId(), before, w.change(), now));
        }
        return new DuplicateKeyCheck(accounts::record, accounts::records).checked(decisions);
    }

    /** Those that had the id before have committed, or never will. */
    private void awaitEndOfAccounts() throws InterruptedException {
        if (!reader.awaitCaughtUp(timeout)) {
            throw new TimeoutException("the accounts are not read yet");
        }
        Map<TopicPartition, Long> ends = ends();
        boolean read = positions.await(
                () -> ends.entrySet().stream().allMatch(e -> positions.hasReached(e.getKey(), e.getValue())), timeout);
        if (!read) {
            throw new TimeoutException("the accounts are not read to their end within " + timeout);
        }
    }

    private void notifyOfCommands(List<AccountDecision> decisions) {
        for (AccountDecision decision : decisions) {
            if (decision instanceof AccountDecision.Changed changed) {
                changed.commands().forEach(c -> appended.accept(changed.after().accountId(), c));
            }
        }
    }

    private void await(List<AccountDecision> decisions) throws InterruptedException {
        boolean known = positions.await(
                () -> decisions.stream()
                        .allMatch(d -> !(d instanceof AccountDecision.Changed changed) || isKnown(changed.after())),
                timeout);
        if (!known) {
            throw new TimeoutException("the change was made, and is not read within " + timeout);
        }
    }

    private boolean isKnown(AccountRecord wanted) {
        return accounts.record(wanted.accountId())
                .filter(known -> known.revision() >= wanted.revision())
                .isPresent();
    }

    private Map<TopicPartition, Long> ends() {
        Map<TopicPartition, Long> ends = new HashMap<>();
        try {
            for (int p = 0; p < reader.partitions(); p++) {
                var partition = new TopicPartition(Topics.ACCOUNTS.name(), p);
                ends.put(
                        partition,
                        logEnds.end(partition)
                                .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                                .join());
            }
            return ends;
        } catch (CompletionException e) {
            throw e.getCause() instanceof KafkaException known ? known : new TimeoutException(e.getCause());
        }
    }
}
