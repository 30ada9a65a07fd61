package millrace.runtime.accounts;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import millrace.contracts.accounts.AccountRecord;
import millrace.contracts.topics.Topics;
import millrace.runtime.kafka.TailedTopics;
import millrace.runtime.kafka.TopicTailer;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Reads the accounts topic from its beginning into {@link Accounts}. */
public final class AccountsReader {

    private final Accounts accounts;
    private final Consumer<SecretDecryptionException> onUndecryptable;
    private final TailedTopics topic;
    /**
     * Failures of the newest record of each account; earlier records may have been encrypted with a
     * deleted key.
     */
    private final Map<String, Fault> faults = new ConcurrentHashMap<>();

    /** Each is told once. */
    private record Fault(SecretDecryptionException cause, AtomicBoolean told) {}

    /**
     * @param tailer is not started yet
     * @param onUndecryptable called where an account's newest secrets cannot be decrypted here; the
     *     account signs with its earlier ones
     */
    public AccountsReader(TopicTailer tailer, Accounts accounts, Consumer<SecretDecryptionException> onUndecryptable) {
        this.accounts = accounts;
        this.onUndecryptable = onUndecryptable;
        this.topic = tailer.add(Topics.ACCOUNTS, TopicTailer.Beginning.OLDEST, this::fold);
    }

    /** Whether all accounts that existed at the start are known, with their secrets. */
    public boolean caughtUp() {
        return topic.caughtUp() && allDecrypted();
    }

    /**
     * Whether the accounts are up to date: the topic has been read to its end, and the reader has
     * not fallen behind or stopped since. Does not consider secrets that cannot be decrypted.
     */
    public boolean current() {
        return topic.caughtUp() && topic.isNearEnd();
    }

    /** Returns false where it takes longer. */
    public boolean awaitCaughtUp(Duration timeout) throws InterruptedException {
        return topic.awaitCaughtUp(timeout) && allDecrypted();
    }

    private boolean allDecrypted() {
        faults.values().forEach(this::report);
        return faults.isEmpty();
    }

    private void report(Fault fault) {
        if (fault.told().compareAndSet(false, true)) {
            onUndecryptable.accept(fault.cause());
        }
    }

    /** Partitions of the topic. May be called once caught up. */
    public int partitions() {
        return topic.partitions();
    }

    private void fold(ConsumerRecord<String, byte[]> found) {
        try {
            if (found.value() != null) {
                AccountRecord record = Topics.ACCOUNTS.decode(found.value());
                accounts.fold(record);
                faults.remove(found.key());
            }
        } catch (SecretDecryptionException e) {
            var fault = new Fault(e, new AtomicBoolean());
            faults.put(found.key(), fault);
            if (topic.caughtUp()) {
                report(fault);
            }
        }
    }
}
