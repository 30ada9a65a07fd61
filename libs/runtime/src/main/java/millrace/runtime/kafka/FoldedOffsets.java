package millrace.runtime.kafka;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.TopicPartition;

/**
 * The offsets up to which partitions have been folded. Threads can wait until an offset is reached.
 */
public final class FoldedOffsets {
    private final Map<TopicPartition, Long> offsets = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /** Everything before the offset has been folded. */
    void folded(TopicPartition partition, long offset) {
        offsets.put(partition, offset);
    }

    /** Makes waiting threads check their conditions. */
    public void wakeWaiters() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    public boolean hasReached(TopicPartition partition, long offset) {
        return offsets.getOrDefault(partition, -1L) >= offset;
    }

    long of(TopicPartition partition) {
        return offsets.getOrDefault(partition, 0L);
    }

    /**
     * Blocks until the condition holds; returns false where it does not within the timeout. The
     * condition is checked whenever {@link #wakeWaiters} is called.
     */
    public boolean await(BooleanSupplier condition, Duration timeout) throws InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        lock.lock();
        try {
            while (!condition.getAsBoolean()) {
                long remaining = end - System.nanoTime();
                if (remaining <= 0) {
                    return false;
                }
                changed.awaitNanos(remaining);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }
}
