package millrace.bench.notifier;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import millrace.bench.process.BenchOptions;
import millrace.bench.process.ChildProcess;
import millrace.bench.process.Measurements;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import millrace.contracts.delivery.WebhookAttempt;
import millrace.contracts.topics.Topics;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * Kills the notifier again and again under load, and its broker once. Counts lost events, of which
 * there must be none, and repeated ones, which were in flight moments before a kill.
 */
public final class NotifierCrashBench {
    private static final Duration SETTLING = Duration.ofMinutes(2);
    private static final int FLAKY_PERCENT = 5;
    private static final int PER_HUNDRED = 100;

    private final NotifierSetup stage;
    private final BenchOptions options;
    private final int endpoints;
    private final Set<String> sent = new HashSet<>();
    private final List<Outage> outages = new ArrayList<>();

    /**
     * An outage of the notifier, which is a moment, or of the broker; microseconds since the epoch.
     */
    private record Outage(long from, long to) {
        /**
         * Milliseconds from the arrival to the outage; 0 where it arrived while the broker was
         * unavailable.
         */
        double after(long arrival) {
            return arrival > to ? Double.POSITIVE_INFINITY : Math.max(0, from - arrival) / 1e3;
        }
    }

    private NotifierCrashBench(NotifierSetup stage, BenchOptions options) {
        this.stage = stage;
        this.options = options;
        this.endpoints = options.number("endpoints");
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        var options = BenchOptions.parse(
                arguments,
                "--endpoints 100 --rate 300 --seconds 120 --every 10",
                "--endpoints 20 --rate 50 --seconds 20 --every 8");
        try (var stage = new NotifierSetup(options.number("endpoints"))) {
            new NotifierCrashBench(stage, options).run();
        }
    }

    @SuppressWarnings("SystemOut")
    private void run() throws IOException, InterruptedException {
        stage.sendToReceivers("record");
        int seconds = options.number("seconds");
        CompletableFuture<Void> load = CompletableFuture.runAsync(() -> send(options.number("rate"), seconds));
        ChildProcess notifier = stage.notifier("-Xmx256m");
        long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
        int restartBrokerAfter = Math.max(1, seconds / options.number("every") / 2);
        for (int kill = 1; System.nanoTime() < end; kill++) {
            TimeUnit.SECONDS.sleep(options.number("every"));
            long killed = BenchEvents.micros();
            notifier.kill();
            outages.add(new Outage(killed, BenchEvents.micros()));
            notifier = stage.notifier("-Xmx256m");
            if (kill == restartBrokerAfter) {
                TimeUnit.SECONDS.sleep(2);
                long brokerKilled = BenchEvents.micros();
                stage.restartBroker();
                outages.add(new Outage(brokerKilled, BenchEvents.micros()));
                System.out.printf(
                        Locale.ROOT,
                        "broker killed and started again within %.1f s%n",
                        (outages.getLast().to() - brokerKilled) / 1e6);
            }
        }
        load.join();
        List<WebhookArrivals.Arrival> arrivals = settle();
        notifier.close();
        report(arrivals, attempts());
    }

    private void send(int rate, int seconds) {
        try (var producer = stage.producer(5)) {
            BenchEvents.steadily(producer, rate, rate * seconds, (i, due) -> event(i));
        }
    }

    private Deliver event(int number) {
        int endpoint = number % endpoints;
        // Some answer 500 at first, so that retries and their state take part.
        String what = number / endpoints % PER_HUNDRED < FLAKY_PERCENT ? "flaky" : "fine";
        Deliver event = BenchEvents.event("a" + endpoint, stage.url(endpoint, what, 0), new UUID(1, number), 1);
        synchronized (sent) {
            sent.add(event.eventId());
        }
        return event;
    }

    /** Waits until each event has arrived, and nothing more has for as long as a retry may take. */
    private List<WebhookArrivals.Arrival> settle() throws IOException, InterruptedException {
        long end = System.nanoTime() + SETTLING.toNanos();
        List<WebhookArrivals.Arrival> arrivals = stage.arrivals();
        int before = -1;
        while (System.nanoTime() < end && (arrivals.size() > before || distinct(arrivals) < sent.size())) {
            before = arrivals.size();
            TimeUnit.SECONDS.sleep(8);
            arrivals = stage.arrivals();
        }
        return arrivals;
    }

    private static long distinct(List<WebhookArrivals.Arrival> arrivals) {
        return arrivals.stream().map(WebhookArrivals.Arrival::event).distinct().count();
    }

    /** Number of committed attempts of each event. */
    private Map<String, Integer> attempts() {
        Map<String, Object> config = stage.clientConfig();
        config.put("isolation.level", "read_committed");
        Map<String, Integer> attempts = new HashMap<>();
        try (var consumer = new KafkaConsumer<>(config, new StringDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> partitions = Stream.iterate(0, p -> p + 1)
                    .limit(NotifierSetup.PARTITIONS)
                    .map(p -> new TopicPartition(Topics.WEBHOOK_ATTEMPTS.name(), p))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (ends.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
                consumer.poll(Duration.ofMillis(200)).forEach(record -> {
                    WebhookAttempt attempt = Topics.WEBHOOK_ATTEMPTS.decode(record.value());
                    attempts.merge(attempt.eventId(), 1, Integer::sum);
                });
            }
        }
        return attempts;
    }

    /** Counts as repeated what arrived more often than there are committed attempts. */
    @SuppressWarnings("SystemOut")
    private void report(List<WebhookArrivals.Arrival> arrivals, Map<String, Integer> attempts) {
        Map<String, List<Long>> times = new HashMap<>();
        arrivals.forEach(
                a -> times.computeIfAbsent(a.event(), e -> new ArrayList<>()).add(a.micros()));
        Set<String> lost = new HashSet<>(sent);
        lost.removeAll(times.keySet());
        List<Double> before = new ArrayList<>();
        int repeats = 0;
        int allCommitted = 0;
        for (Map.Entry<String, List<Long>> event : times.entrySet()) {
            int committed = attempts.getOrDefault(event.getKey(), 0);
            allCommitted += committed;
            int more = event.getValue().size() - committed;
            repeats += Math.max(0, more);
            // Of several arrivals, the one nearest to a kill was not committed.
            event.getValue().stream()
                    .map(this::millisBeforeKill)
                    .sorted()
                    .limit(Math.max(0, more))
                    .forEach(before::add);
        }
        Measurements moments = Measurements.of(before);
        System.out.printf(Locale.ROOT, "%,d events, %d kills%n", sent.size(), outages.size());
        System.out.printf(Locale.ROOT, "lost                        %8d%n", lost.size());
        System.out.printf(Locale.ROOT, "requests                    %8d%n", arrivals.size());
        System.out.printf(Locale.ROOT, "attempts committed          %8d%n", allCommitted);
        System.out.printf(
                Locale.ROOT,
                "repeats                     %8d, %.1f for each kill%n",
                repeats,
                (double) repeats / outages.size());
        System.out.printf(
                Locale.ROOT,
                "they came before a kill by  %8.0f ms in the median, %.0f ms at most%n",
                moments.median(),
                moments.quantile(1));
    }

    private double millisBeforeKill(long arrival) {
        return outages.stream()
                .mapToDouble(outage -> outage.after(arrival))
                .min()
                .orElse(Double.POSITIVE_INFINITY);
    }
}
