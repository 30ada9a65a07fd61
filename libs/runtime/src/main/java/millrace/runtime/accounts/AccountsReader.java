package millrace.runtime.accounts;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import millrace.contracts.accounts.AccountRecord;
import millrace.contracts.topics.Topics;
import millrace.runtime.kafka.FoldedOffsets;
import millrace.runtime.kafka.TopicTailer;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Follows the topic of accounts, from its beginning. */
public final class AccountsReader implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AccountsReader.class);

    private final Accounts accounts;
    private final Consumer<SecretDecryptionException> onSealed;
    private final TopicTailer follower;
    /** By account, of its newest record: those before it may be sealed with a key that is gone. */
    private final Map<String, SecretDecryptionException> faults = new ConcurrentHashMap<>();

    private final Set<SecretDecryptionException> reported = ConcurrentHashMap.newKeySet();

    /** @param onSealed called where an account's newest secrets cannot be opened here; it signs as before */
    public AccountsReader(
            KafkaSettings kafka,
            Accounts accounts,
            FoldedOffsets positions,
            Consumer<SecretDecryptionException> onSealed) {
        this.accounts = accounts;
        this.onSealed = onSealed;
        var plan = new TopicTailer.Plan(
                List.of(Topics.ACCOUNTS), List.of(), (consumer, partitions) -> consumer.beginningOffsets(partitions));
        this.follower = new TopicTailer(kafka, "accounts", plan, positions, this::fold);
    }

    public void start() {
        follower.start();
    }

    /** Whether all accounts that were there at the start are known. */
    public boolean caughtUp() {
        return follower.caughtUp() && sound();
    }

    /**
     * Whether it knows what is true now: it has caught up, and has not fallen behind or stopped since. Secrets that it cannot open
     * are no matter here.
     */
    public boolean current() {
        return follower.caughtUp() && follower.isNearEnd();
    }

    /** Waits for it; false where it took longer. */
    public boolean awaitCaughtUp(Duration timeout) throws InterruptedException {
        return follower.awaitCaughtUp(timeout) && sound();
    }

    private boolean sound() {
        faults.values().forEach(this::report);
        return faults.isEmpty();
    }

    private void report(SecretDecryptionException fault) {
        if (reported.add(fault)) {
            onSealed.accept(fault);
        }
    }

    /** Of the topic; only once caught up. */
    public int partitions() {
        return follower.partitions();
    }

    @Override
    public void close() {
        follower.close();
    }

    private void fold(ConsumerRecord<String, byte[]> found) {
        try {
            if (found.value() != null) {
                AccountRecord record = Topics.ACCOUNTS.decode(found.value());
                accounts.fold(record);
                faults.remove(found.key());
            }
        } catch (SerializationException e) {
            LOG.warn("record {} of {}-{} left out: {}", found.offset(), found.topic(), found.partition(), e.toString());
        } catch (SecretDecryptionException e) {
            faults.put(found.key(), e);
            if (follower.caughtUp()) {
                report(e);
            }
        }
    }
}
