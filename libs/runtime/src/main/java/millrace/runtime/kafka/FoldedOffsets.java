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
    private final Condition awaited = lock.newCondition();
    /** Threads that wait; guarded by the lock. */
    private int waiters;
    /** Guarded by the lock. */
    private boolean followed;
    /** Whether the next rest is left out; changed under the lock. */
    private volatile boolean soon;
    /** How often {@link #wakeWaiters} was called; guarded by the lock. */
    private long wakeups;

    /** Everything before the offset has been folded. */
    void folded(TopicPartition partition, long offset) {
        offsets.put(partition, offset);
    }

    /** Makes waiting threads check their conditions. */
    public void wakeWaiters() {
        lock.lock();
        try {
            wakeups++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    public boolean hasReached(TopicPartition partition, long offset) {
        return offsets.getOrDefault(partition, -1L) >= offset;
    }

    /** Whether everything before each of these offsets has been folded. */
    public boolean hasReached(Map<TopicPartition, Long> ends) {
        return ends.entrySet().stream().allMatch(end -> hasReached(end.getKey(), end.getValue()));
    }

    long of(TopicPartition partition) {
        return offsets.getOrDefault(partition, 0L);
    }

    /**
     * Blocks until the condition holds; returns false where it does not within the timeout. The
     * condition is checked whenever {@link #wakeWaiters} was called. It may take long, and read a
     * disk: it holds up neither other waiting threads nor the one that folds.
     */
    public boolean await(BooleanSupplier condition, Duration timeout) throws InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        long seen = wakeups();
        if (condition.getAsBoolean()) {
            return true;
        }
        countWaiters(1);
        try {
            while (awaitWakeup(seen, end)) {
                seen = wakeups();
                if (condition.getAsBoolean()) {
                    return true;
                }
            }
            return false;
        } finally {
            countWaiters(-1);
        }
    }

    private void countWaiters(int more) {
        lock.lock();
        try {
            waiters += more;
            awaited.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Says whether somebody wants to know of each offset soon, as a thread does that waits. */
    public void followed(boolean bySomebody) {
        lock.lock();
        try {
            followed = bySomebody;
            awaited.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Makes the reader poll once without a rest: somebody who does not wait will ask again. */
    public void readSoon() {
        if (soon) {
            return; // many ask between two polls
        }
        lock.lock();
        try {
            soon = true;
            awaited.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Blocks until some thread waits, or somebody follows or asks to read soon, or the timeout is over. */
    void awaitWaiter(Duration timeout) throws InterruptedException {
        long remaining = timeout.toNanos();
        lock.lock();
        try {
            while (waiters == 0 && !followed && !soon && remaining > 0) {
                remaining = awaited.awaitNanos(remaining);
            }
            soon = false;
        } finally {
            lock.unlock();
        }
    }

    private long wakeups() {
        lock.lock();
        try {
            return wakeups;
        } finally {
            lock.unlock();
        }
    }

    /** Returns false where there is none before the end. */
    private boolean awaitWakeup(long seen, long end) throws InterruptedException {
        lock.lock();
        try {
            while (true) {
                long remaining = end - System.nanoTime();
                if (remaining <= 0) {
                    return false;
                }
                if (wakeups != seen) {
                    return true;
                }
                long unused = changed.awaitNanos(remaining);
            }
        } finally {
            lock.unlock();
        }
    }
}
