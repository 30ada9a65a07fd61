package millrace.notifier.loop;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import millrace.runtime.service.ServiceThreads;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/** Holds messages of other threads for the loop, and wakes the loop while it polls Kafka. */
final class Mailbox {
    private final Queue<LoopMessage> messages = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean polling = new AtomicBoolean();
    /** Whether {@link #wake} was called since the last poll ended. */
    private volatile boolean woken;

    private final Consumer<String, byte[]> consumer;
    private final ServiceThreads threads;
    private volatile @Nullable Thread waiting;

    Mailbox(Consumer<String, byte[]> consumer, ServiceThreads threads) {
        this.consumer = consumer;
        this.threads = threads;
    }

    /** Adds a message and wakes the loop. Thread-safe. */
    void put(LoopMessage message) {
        messages.add(message);
        LockSupport.unpark(waiting);
        endPoll();
    }

    /** Makes {@link #poll} return, or the next one not wait if none is under way. Thread-safe. */
    void wake() {
        woken = true;
        endPoll();
    }

    private void endPoll() {
        if (polling.compareAndSet(true, false)) {
            consumer.wakeup();
        }
    }

    @Nullable
    LoopMessage next() {
        return messages.poll();
    }

    /** Waits for a message; returns null after the timeout. For the loop's thread only. */
    @Nullable
    LoopMessage next(Duration timeout) {
        long end = threads.nanoTime() + timeout.toNanos();
        waiting = Thread.currentThread();
        try {
            LoopMessage message = messages.poll();
            for (long left = timeout.toNanos();
                    message == null && left > 0 && !Thread.currentThread().isInterrupted();
                    left = end - threads.nanoTime()) {
                threads.parkNanos(left);
                message = messages.poll();
            }
            return message;
        } finally {
            waiting = null;
        }
    }

    /**
     * Polls the consumer for at most this time, without waiting if a message is available or the loop was woken
     * since the last poll. For the loop's thread only.
     */
    ConsumerRecords<String, byte[]> poll(Duration timeout) {
        polling.set(true);
        try {
            return consumer.poll(woken || !messages.isEmpty() ? Duration.ZERO : timeout);
        } catch (WakeupException e) {
            return ConsumerRecords.empty();
        } finally {
            polling.set(false);
            woken = false; // the loop looks at everything before it polls again
        }
    }
}
