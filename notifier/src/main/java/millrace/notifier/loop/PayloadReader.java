package millrace.notifier.loop;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
import millrace.contracts.delivery.DeliveryState;
import millrace.contracts.topics.Topics;
import millrace.notifier.endpoint.EndpointQueue;
import millrace.notifier.endpoint.HeldEvent;
import millrace.runtime.service.ServiceThreads;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;

/**
 * Reads the payloads of waiting events from the state topic, on its own thread. Requests that arrive while it reads are
 * answered together, in the order of their offsets.
 */
final class PayloadReader implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(100);
    /**
     * If the next record is at most this many offsets away, the records between are read and dropped, which is
     * cheaper than a seek.
     */
    private static final long NEAR = 200;

    private final Mailbox mailbox;
    private final Supplier<? extends Consumer<String, byte[]>> readers;
    private final LinkedBlockingQueue<Wanted> wanted = new LinkedBlockingQueue<>();
    private final Thread thread;

    private record Wanted(EndpointQueue queue, HeldEvent event, long offset) {}

    /** @param readers creates a consumer that is in no group */
    PayloadReader(Mailbox mailbox, Supplier<? extends Consumer<String, byte[]>> readers, ServiceThreads threads) {
        this.mailbox = mailbox;
        this.readers = readers;
        this.thread = threads.virtual().name("payloads").start(this::run);
    }

    /** Does not block. The payload arrives in the mailbox as {@link LoopMessage.Fetched}. */
    void fetch(EndpointQueue queue, HeldEvent event) {
        wanted.add(new Wanted(queue, event, event.stateOffset()));
    }

    private void run() {
        try {
            Wanted first = wanted.take();
            try (Consumer<String, byte[]> reader = readers.get()) {
                while (true) {
                    read(reader, first);
                    first = wanted.take();
                }
            }
        } catch (InterruptedException | InterruptException e) {
            Thread.currentThread().interrupt(); // the reader is closed
        } catch (RuntimeException | Error e) {
            mailbox.put(new LoopMessage.Failed(e));
        }
    }

    private void read(Consumer<String, byte[]> reader, Wanted first) {
        Map<TopicPartition, PriorityQueue<Wanted>> open = new HashMap<>();
        List<Wanted> all = new ArrayList<>(List.of(first));
        wanted.drainTo(all);
        all.forEach(one -> open.computeIfAbsent(
                        new TopicPartition(
                                Topics.DELIVERY_STATE.name(), one.queue().partition()),
                        p -> new PriorityQueue<>(Comparator.comparingLong(Wanted::offset)))
                .add(one));
        reader.assign(open.keySet());
        open.forEach((partition, rest) -> reader.seek(partition, rest.element().offset()));
        while (!open.isEmpty()) {
            for (ConsumerRecord<String, byte[]> record : reader.poll(POLL)) {
                PriorityQueue<Wanted> rest = open.get(new TopicPartition(record.topic(), record.partition()));
                if (rest != null) {
                    take(record, rest);
                }
            }
            goOn(reader, open);
        }
    }

    private void take(ConsumerRecord<String, byte[]> record, PriorityQueue<Wanted> rest) {
        while (!rest.isEmpty() && rest.element().offset() <= record.offset()) {
            Wanted one = rest.remove();
            if (one.offset() < record.offset()
                    || record.value() == null
                    || !(Topics.DELIVERY_STATE.decode(record.value()) instanceof DeliveryState.Waiting waiting)
                    || !waiting.delivery().eventId().equals(one.event().id())) {
                throw new KafkaException("the state of event " + one.event().id() + " is not at offset " + one.offset()
                        + " of " + record.topic() + "-" + record.partition());
            }
            mailbox.put(new LoopMessage.Fetched(one.queue(), one.event(), waiting.delivery()));
        }
    }

    private static void goOn(Consumer<String, byte[]> reader, Map<TopicPartition, PriorityQueue<Wanted>> open) {
        boolean finished = false;
        for (Iterator<Map.Entry<TopicPartition, PriorityQueue<Wanted>>> each =
                        open.entrySet().iterator();
                each.hasNext(); ) {
            Map.Entry<TopicPartition, PriorityQueue<Wanted>> entry = each.next();
            Wanted next = entry.getValue().peek();
            if (next == null) {
                each.remove();
                finished = true;
            } else if (next.offset() > reader.position(entry.getKey()) + NEAR) {
                reader.seek(entry.getKey(), next.offset());
            }
        }
        if (finished) {
            reader.assign(open.keySet());
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
