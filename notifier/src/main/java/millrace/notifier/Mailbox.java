package millrace.notifier;

import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/** Where what other threads have to say waits for the loop, and what wakes the loop while it waits for Kafka. */
final class Mailbox {
    private final LinkedBlockingQueue<Mail> mail = new LinkedBlockingQueue<>();
    private final AtomicBoolean polling = new AtomicBoolean();
    private final Consumer<String, byte[]> consumer;

    Mailbox(Consumer<String, byte[]> consumer) {
        this.consumer = consumer;
    }

    /** From any thread. */
    void put(Mail letter) {
        mail.add(letter);
        wake();
    }

    /** From any thread: {@link #poll} returns soon. */
    void wake() {
        if (polling.compareAndSet(true, false)) {
            consumer.wakeup();
        }
    }

    @Nullable
    Mail next() {
        return mail.poll();
    }

    @Nullable
    Mail next(Duration patience) {
        try {
            return mail.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }

    /** Waits for records, not longer than that and not while something is in the box. */
    ConsumerRecords<String, byte[]> poll(Duration patience) {
        polling.set(true);
        try {
            return consumer.poll(mail.isEmpty() ? patience : Duration.ZERO);
        } catch (WakeupException e) {
            return ConsumerRecords.empty();
        } finally {
            polling.set(false);
        }
    }
}
