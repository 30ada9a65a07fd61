package millrace.runtime.accounts;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import millrace.contracts.AccountRecord;
import millrace.contracts.Topics;
import millrace.runtime.Follower;
import millrace.runtime.KafkaSettings;
import millrace.runtime.Positions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Follows the topic of accounts, from its beginning. */
public final class AccountsReader implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AccountsReader.class);

    private final Accounts accounts;
    private final Consumer<SealException> onSealed;
    private final Follower follower;
    private volatile @Nullable SealException fault;

    /** @param onSealed called where an account's secrets cannot be opened here; it signs as before */
    public AccountsReader(
            KafkaSettings kafka, Accounts accounts, Positions positions, Consumer<SealException> onSealed) {
        this.accounts = accounts;
        this.onSealed = onSealed;
        var plan = new Follower.Plan(
                List.of(Topics.ACCOUNTS), List.of(), (consumer, partitions) -> consumer.beginningOffsets(partitions));
        this.follower = new Follower(kafka, "accounts", plan, positions, this::fold);
    }

    public void start() {
        follower.start();
    }

    /** Whether all accounts that were there at the start are known. */
    public boolean caughtUp() {
        return follower.caughtUp() && fault == null;
    }

    /** Waits for it; false where it took longer. */
    public boolean awaitCaughtUp(Duration patience) throws InterruptedException {
        return follower.awaitCaughtUp(patience) && fault == null;
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
            }
        } catch (SerializationException e) {
            LOG.warn("record {} of {}-{} left out: {}", found.offset(), found.topic(), found.partition(), e.toString());
        } catch (SealException e) {
            fault = e;
            onSealed.accept(e);
        }
    }
}
