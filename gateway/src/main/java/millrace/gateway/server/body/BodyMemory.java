package millrace.gateway.server.body;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Bounds the memory of the request bodies that are being read, in total and of each account. A body
 * reserves its bytes and an overhead for each text in it: at the start where its length is known,
 * so that half-read bodies do not wait for each other, else while it arrives. Safe for use by many
 * threads.
 */
final class BodyMemory {
    /** Bodies up to so many bytes are not counted. */
    static final int FREE = 16 << 10;
    /** Bytes that are reserved beyond those needed now. */
    private static final int AHEAD = 64 << 10;
    /** For the offsets of a list's texts while they are sorted. */
    private static final int BYTES_PER_ENTITY = 20;
    /** Overhead per byte of texts of a few characters. */
    private static final int TEXT_OVERHEAD_FACTOR = 2;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition released = lock.newCondition();
    private final Map<String, Long> reserved = new HashMap<>();
    private final long most;
    private final long mostOfAccount;
    private final long maxTextOverhead;
    private final Duration timeout;
    private long total;

    /**
     * @param most bytes of all bodies; more where one body of the largest size needs more
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

    /**
     * The reservation of one body. The reader of the body closes it when nothing of the body is
     * needed any more. For one thread.
     */
    final class Share implements AutoCloseable {
        private final String accountId;
        private long bytes;
        private long waited;

        private Share(String accountId) {
            this.accountId = accountId;
        }

        /**
         * Reserves memory for so many bytes of the body; waits until there is some.
         *
         * @return false where there is none within the timeout
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
            while (total + bytes > most || reserved.getOrDefault(accountId, 0L) + bytes > mostOfAccount) {
                if (left <= 0) {
                    return false;
                }
                left = released.awaitNanos(left);
            }
            total += bytes;
            reserved.merge(accountId, bytes, Long::sum);
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
            total -= bytes;
            reserved.computeIfPresent(accountId, (id, of) -> of == bytes ? null : of - bytes);
            released.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
