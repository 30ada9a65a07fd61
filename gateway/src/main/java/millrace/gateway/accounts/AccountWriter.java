package millrace.gateway.accounts;

import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import millrace.contracts.accounts.AccountAudit;
import millrace.contracts.accounts.AccountRecord;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.topics.CloudEvent;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.gateway.accounts.rules.AccountChange;
import millrace.gateway.accounts.rules.AccountDecision;
import millrace.gateway.accounts.rules.AccountDifferences;
import millrace.gateway.accounts.rules.AccountRules;
import millrace.gateway.accounts.rules.DuplicateKeyCheck;
import millrace.gateway.copy.PartitionEnds;
import millrace.gateway.copy.reports.ReadModel;
import millrace.gateway.settings.GatewaySettings;
import millrace.runtime.accounts.Accounts;
import millrace.runtime.accounts.AccountsReader;
import millrace.runtime.kafka.FoldedOffsets;
import millrace.runtime.kafka.TopicTailer;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.jspecify.annotations.Nullable;

/**
 * Changes accounts, one change at a time in the whole cluster. Each change takes over the one
 * transactional id, reads the accounts topic to its end, decides, and commits the account, its
 * audit record and the ledger's commands in one transaction. A gateway that loses the id meanwhile
 * has written nothing and tries again.
 */
@Singleton
public final class AccountWriter {
    /** The access control lists of the documentation name it too. */
    public static final String TRANSACTIONAL_ID = "millrace-accounts";

    private static final String CLOCK = "the clock of this gateway is ahead of Kafka's by more than an hour";
    private static final int TRIES = 8;
    /**
     * The pause after a lost try is at most 2 to this power times what the try took, since the
     * other gateway needs as long.
     */
    private static final int DOUBLINGS = 3;

    /** Most changes of one transaction. */
    private static final int AT_ONCE = 200;

    /** Fair, so that nobody who makes many changes keeps others from theirs. */
    private final ReentrantLock lock = new ReentrantLock(true);

    private final KafkaSettings kafka;
    private final PartitionEnds partitionEnds;
    private final Accounts accounts;
    private final AccountsReader reader;
    private final FoldedOffsets foldedOffsets;
    private final InstantSource clock;
    /** For each call to Kafka. */
    private final Duration timeout;

    private final ReadModel model;

    AccountWriter(
            GatewaySettings settings,
            KafkaSettings kafka,
            PartitionEnds partitionEnds,
            Accounts accounts,
            AccountsReader reader,
            TopicTailer smallTopics,
            InstantSource clock,
            ReadModel model) {
        this.kafka = kafka;
        this.partitionEnds = partitionEnds;
        this.accounts = accounts;
        this.reader = reader;
        this.foldedOffsets = smallTopics.foldedOffsets();
        this.clock = clock;
        this.timeout = settings.acknowledgeWithin();
        this.model = model;
    }

    /** @param reason free text for the audit record */
    public record RequestedChange(
            String accountId,
            AccountChange change,
            @Nullable String reason) {}

    /**
     * Decides and commits one change. Blocks until this gateway has read it back.
     *
     * @param actor name of the admin key, id of the account's own key, or name of the part of the
     *     gateway that asks; goes into the audit record
     * @throws InvalidTimestampException where the clock of this process is ahead of Kafka's:
     *     nothing was changed
     * @throws KafkaException where Kafka does not answer in time: whether the change was made is
     *     not known
     */
    public AccountDecision change(String actor, RequestedChange change) {
        return change(actor, List.of(change)).getFirst();
    }

    /**
     * As {@link #change(String, RequestedChange)}, for changes of different accounts in one
     * transaction. A refused change does not keep the others from being committed. Returns one
     * decision for each change, in the same order.
     */
    public List<AccountDecision> change(String actor, List<RequestedChange> changes) {
        lock.lock();
        try {
            for (int i = 1; ; i++) {
                long began = System.nanoTime();
                try {
                    return changeOnce(actor, changes);
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

    /**
     * Whether every change has been made already, as far as this gateway has read. Does not write
     * to Kafka.
     */
    boolean wouldChangeNothing(List<RequestedChange> changes) {
        return reader.caughtUp() && decide(changes).stream().allMatch(AccountDecision.Unchanged.class::isInstance);
    }

    /**
     * Makes any number of changes of different accounts, 200 in a transaction. Where one
     * transaction fails, those before it are committed.
     */
    void changeEach(String actor, List<RequestedChange> changes) {
        for (int from = 0; from < changes.size(); from += AT_ONCE) {
            change(actor, changes.subList(from, Math.min(changes.size(), from + AT_ONCE)));
        }
    }

    private List<AccountDecision> changeOnce(String actor, List<RequestedChange> changes) throws InterruptedException {
        try (var transaction = AccountTransaction.begin(kafka, TRANSACTIONAL_ID, timeout)) {
            awaitEndOfAccounts();
            List<AccountDecision> decisions = decide(changes);
            List<ProducerRecord<String, byte[]>> records = new ArrayList<>();
            for (int i = 0; i < changes.size(); i++) {
                if (decisions.get(i) instanceof AccountDecision.Changed changed) {
                    RequestedChange requested = changes.get(i);
                    AccountRecord before =
                            accounts.record(requested.accountId()).orElse(null);
                    records.addAll(records(before, changed, actor, requested.reason()));
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

    private List<AccountDecision> decide(List<RequestedChange> changes) {
        Instant now = clock.instant();
        List<AccountDecision> decisions = new ArrayList<>();
        for (RequestedChange requested : changes) {
            AccountRecord before = accounts.record(requested.accountId()).orElse(null);
            decisions.add(AccountRules.decide(requested.accountId(), before, requested.change(), now));
        }
        return new DuplicateKeyCheck(accounts::record, accounts::records).checked(decisions);
    }

    /** Nobody else can commit now, so the end of the topic does not move. */
    private void awaitEndOfAccounts() throws InterruptedException {
        if (!reader.awaitCaughtUp(timeout)) {
            throw new TimeoutException("the accounts are not read yet");
        }
        Map<TopicPartition, Long> ends = ends();
        boolean read = foldedOffsets.await(() -> foldedOffsets.hasReached(ends), timeout);
        if (!read) {
            throw new TimeoutException("the accounts are not read to their end within " + timeout);
        }
    }

    /** The read model knows a command when Kafka has acknowledged it. Only reports need its offset. */
    private void notifyOfCommands(List<AccountDecision> decisions) {
        for (AccountDecision decision : decisions) {
            if (decision instanceof AccountDecision.Changed changed) {
                changed.commands().forEach(c -> model.command(changed.after().accountId(), c, 0, 0));
            }
        }
    }

    /** The records that a change writes: the account, its audit record, and the ledger's commands. */
    private static List<ProducerRecord<String, byte[]>> records(
            @Nullable AccountRecord before, AccountDecision.Changed changed, String actor, @Nullable String reason) {
        AccountRecord after = changed.after();
        String id = after.accountId();
        List<AccountAudit.Change> changes = new ArrayList<>(AccountDifferences.between(before, after));
        changes.addAll(changed.credits());
        var audit = new AccountAudit(id, after.revision(), changed.action(), actor, reason, changes, after.updatedAt());
        List<ProducerRecord<String, byte[]>> records = new ArrayList<>();
        records.add(record(Topics.ACCOUNTS, id, after, new RecordHeaders()));
        records.add(record(
                Topics.ACCOUNT_AUDIT, id, audit, CloudEvent.of(audit, null).headers()));
        for (AccountCommand command : changed.commands()) {
            records.add(record(Topics.ACCOUNT_COMMANDS, id, command, new RecordHeaders()));
        }
        return records;
    }

    private static <V> ProducerRecord<String, byte[]> record(Topic<V> topic, String key, V value, Headers headers) {
        return new ProducerRecord<>(topic.name(), null, key, topic.encode(value), headers);
    }

    private void await(List<AccountDecision> decisions) throws InterruptedException {
        boolean known = foldedOffsets.await(
                () -> decisions.stream()
                        .allMatch(d -> !(d instanceof AccountDecision.Changed changed) || isKnown(changed.after())),
                timeout);
        if (!known) {
            throw new TimeoutException("the change was made, and is not read within " + timeout);
        }
    }

    private boolean isKnown(AccountRecord expected) {
        return accounts.record(expected.accountId())
                .filter(known -> known.revision() >= expected.revision())
                .isPresent();
    }

    private Map<TopicPartition, Long> ends() {
        try {
            return partitionEnds
                    .ends(Topics.ACCOUNTS.ends(reader.partitions()).keySet())
                    .orTimeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof KafkaException known ? known : new TimeoutException(e.getCause());
        }
    }
}
