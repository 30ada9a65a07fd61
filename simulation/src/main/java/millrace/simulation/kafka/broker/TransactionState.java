package millrace.simulation.kafka.broker;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import millrace.simulation.kernel.Timer;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** The coordinator's state of one transactional id. */
final class TransactionState {
    final String id;
    final long producerId;
    final long timeoutNanos;
    final Set<TopicPartition> partitions = new LinkedHashSet<>();
    final Set<String> groups = new LinkedHashSet<>();
    /** Actions to run once the markers of the ending transaction are written. */
    final List<Runnable> whenEnded = new ArrayList<>();

    int epoch;
    /** The producer's number of the open, or last, transaction. */
    long number;

    boolean open;
    boolean ending;
    boolean committed;

    @Nullable
    Timer timeout;

    TransactionState(String id, long producerId, int epoch, long timeoutNanos) {
        this.id = id;
        this.producerId = producerId;
        this.epoch = epoch;
        this.timeoutNanos = timeoutNanos;
    }

    /** Cancels the timeout that would abort the transaction. */
    void stopTimeout() {
        if (timeout != null) {
            timeout.cancel();
            timeout = null;
        }
    }
}
