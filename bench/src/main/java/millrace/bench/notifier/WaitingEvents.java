package millrace.bench.notifier;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import millrace.bench.process.ChildProcess;
import millrace.bench.process.LiveHeap;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import millrace.contracts.delivery.DeliveryState;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** A {@link NotifierSetup} with a growing number of events that wait ten hours for a retry. */
public final class WaitingEvents implements AutoCloseable {
    private static final Duration WAIT = Duration.ofHours(10);

    private final NotifierSetup stage;
    private final int endpoints;
    private int events;

    public WaitingEvents(int endpoints) throws IOException, InterruptedException {
        this.stage = new NotifierSetup(endpoints);
        this.endpoints = endpoints;
    }

    /**
     * The cost of a start.
     *
     * @param seconds from the start of the process until it has taken over everything
     * @param liveBytes of its heap after a collection
     * @param peakMemory most resident bytes
     */
    public record Start(double seconds, long liveBytes, long peakMemory) {}

    /** @param all number of waiting events afterwards */
    public void fill(int all) {
        long due = System.currentTimeMillis() + WAIT.toMillis();
        try (var producer = stage.producer(20)) {
            for (; events < all; events++) {
                put(stage, producer, events, events % endpoints, due);
            }
        }
    }

    /** Starts a notifier, measures it, and ends it. */
    public Start start(String heap) throws IOException, InterruptedException {
        long started = System.nanoTime();
        try (ChildProcess notifier = stage.notifier("-Xmx" + heap)) {
            double seconds = (System.nanoTime() - started) / 1e9;
            return new Start(seconds, LiveHeap.bytes(notifier), notifier.peakMemory());
        }
    }

    /** Adds a waiting event. */
    @SuppressWarnings("FutureReturnValueIgnored") // what is lost is seen at the receivers
    static void put(NotifierSetup stage, Producer<String, byte[]> producer, int number, int endpoint, long dueMillis) {
        Deliver event = BenchEvents.event(
                "a" + endpoint, stage.url(endpoint, "fine", dueMillis * 1000), new UUID(1, number), 1);
        var state = new DeliveryState.Waiting(event.endpoint(), event, 1, Instant.ofEpochMilli(dueMillis), null);
        producer.send(new ProducerRecord<>(
                Topics.DELIVERY_STATE.name(),
                Topic.partition(event.endpoint(), NotifierSetup.PARTITIONS),
                state.key(),
                Topics.DELIVERY_STATE.encode(state)));
    }

    @Override
    public void close() throws IOException {
        stage.close();
    }
}
