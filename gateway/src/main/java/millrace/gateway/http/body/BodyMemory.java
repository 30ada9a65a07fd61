package millrace.gateway.http.body;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How much memory the bodies that are being read may take, all together and those of one account. A body takes its bytes, and more
 * for each text in it: at once where its length is known, so that bodies do not wait for each other half read; else as it comes.
 * Safe for use by many threads.
 */
final class BodyMemory {
    /** Of a body that is not counted. */
    static final int FREE = 16 << 10;
    /** So much more than is needed is taken at once. */
    private static final int AHEAD = 64 << 10;
    /** Where the texts of a list begin, while they are sorted. */
    private static final int BYTES_PER_ENTITY = 20;
    /** Beyond their bytes: texts of a few characters. */
    private static final int TEXT_OVERHEAD_FACTOR = 2;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition released = lock.newCondition();
    private final Map<String, Long> taken = new HashMap<>();
    private final long most;
    private final long mostOfAccount;
    private final long maxTextOverhead;
    private final Duration timeout;
    private long all;

    /**
     * @param most bytes; more where one body alone needs more
     * @param largestBody in bytes
     * @param entities of one body, at most
     * @param timeout how long a body may wait for others to end
     */
    BodyMemory(long most, int largestBody, int entities, Duration timeout) {
        this.maxTextOverhead = (long) BYTES_PER_ENTITY * entities;
        this.most = Math.max(most, cost(largestBody + (long) AHEAD));
        this.mostOfAccount = Math.max(most / 2, cost(largestBody + (long) AHEAD));
        this.timeout = timeout;
    }

    /** What one body has taken; to be closed when nothing of the body is needed any more. For one thread. */
    final class Share implements AutoCloseable {
        private final String accountId;
        private long bytes;
        private long waited;

        private Share(String accountId) {
            this.accountId = accountId;
        }

        /**
         * Makes sure that there is memory for so many bytes of the body. Waits for it.
         *
         * @return false where there is none
         */
        boolean holds(long read) throws IOException {
            if (cost(read) <= bytes) {
                return true;
            }
            long wanted = cost(read + AHEAD);
            long start = System.nanoTime();
            try {
                boolean enough = acquire(accountId, wanted - bytes, timeout.toNanos() - waited);
                waited += System.nanoTime() - start;
                bytes = enough ? wanted : bytes;
                return enough;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException();
            }
        }

        @Override
        public void close() {
            release(accountId, bytes);
            bytes = 0;
        }
    }

    Share share(String accountId) {
        return new Share(accountId);
    }

    private long cost(long read) {
        return read <= FREE ? 0 : read + Math.min(TEXT_OVERHEAD_FACTOR * read, maxTextOverhead);
    }

    private boolean acquire(String accountId, long bytes, long nanos) throws InterruptedException {
        lock.lock();
        try {
            long left = nanos;
            while (all + bytes > most || taken.getOrDefault(accountId, 0L) + bytes > mostOfAccount) {
                if (left <= 0) {
                    return false;
                }
                left = released.awaitNanos(left);
            }
            all += bytes;
            taken.merge(accountId, bytes, Long::sum);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void release(String accountId, long bytes) {
        if (bytes == 0) {
            return;
        }
        lock.lock();
        try {
            all -= bytes;
            taken.computeIfPresent(accountId, (id, of) -> of == bytes ? null : of - bytes);
            released.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
