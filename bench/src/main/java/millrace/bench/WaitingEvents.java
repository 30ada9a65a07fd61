package millrace.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.contracts.DeliveryCommand.Deliver;
import millrace.contracts.DeliveryState;
import millrace.contracts.Topic;
import millrace.contracts.Topics;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/** A {@link NotifierStage} with events that wait for a retry in ten hours, more and more of them. */
final class WaitingEvents implements AutoCloseable {
    private static final Duration WAIT = Duration.ofHours(10);
    private static final Pattern USED = Pattern.compile("used (\\d+)K");

    private final NotifierStage stage;
    private final int endpoints;
    private int events;

    WaitingEvents(int endpoints) throws IOException, InterruptedException {
        this.stage = new NotifierStage(endpoints);
        this.endpoints = endpoints;
    }

    /**
     * What a start has cost.
     *
     * @param seconds from the start of the process until it has taken over everything
     * @param liveBytes of its heap, after a collection
     * @param peakMemory bytes resident at most
     */
    record Start(double seconds, long liveBytes, long peakMemory) {}

    /** @param all so many wait afterwards */
    void fill(int all) {
        long due = System.currentTimeMillis() + WAIT.toMillis();
        try (var producer = stage.producer(20)) {
            for (; events < all; events++) {
                put(stage, producer, events, events % endpoints, due);
            }
        }
    }

    /** A notifier of its own, from its start to its end. */
    Start start(String heap) throws IOException, InterruptedException {
        long started = System.nanoTime();
        try (Child notifier = stage.notifier("-Xmx" + heap)) {
            double seconds = (System.nanoTime() - started) / 1e9;
            return new Start(seconds, liveBytes(notifier), notifier.peakMemory());
        }
    }

    /** One more that waits. */
    @SuppressWarnings("FutureReturnValueIgnored") // what is lost is seen at the receivers
    static void put(NotifierStage stage, Producer<String, byte[]> producer, int number, int endpoint, long dueMillis) {
        Deliver event =
                Events.event("a" + endpoint, stage.url(endpoint, "fine", dueMillis * 1000), new UUID(1, number), 1);
        var state = new DeliveryState.Waiting(event.endpoint(), event, 1, Instant.ofEpochMilli(dueMillis), null);
        producer.send(new ProducerRecord<>(
                Topics.DELIVERY_STATE.name(),
                Topic.partition(event.endpoint(), NotifierStage.PARTITIONS),
                state.key(),
                Topics.DELIVERY_STATE.encode(state)));
    }

    /** Of a process's heap, after a full collection. */
    static long liveBytes(Child process) throws IOException, InterruptedException {
        ask(process, "GC.run");
        String heap = ask(process, "GC.heap_info");
        Matcher used = USED.matcher(heap);
        if (!used.find()) {
            throw new IllegalStateException("no size of the heap: " + heap);
        }
        return Long.parseLong(used.group(1)) << 10;
    }

    private static String ask(Child process, String what) throws IOException, InterruptedException {
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        Process asked = new ProcessBuilder(List.of(jcmd.toString(), Long.toString(process.pid()), what))
                .redirectErrorStream(true)
                .start();
        String answer = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        asked.waitFor();
        return answer;
    }

    @Override
    public void close() throws IOException {
        stage.close();
    }
}
