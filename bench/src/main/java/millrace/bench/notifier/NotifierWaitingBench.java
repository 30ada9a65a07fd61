package millrace.bench.notifier;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import millrace.bench.process.BenchOptions;
import millrace.bench.process.ChildProcess;
import millrace.bench.process.LiveHeap;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import millrace.contracts.delivery.DeliveryCommand.EnableEndpoint;
import millrace.contracts.topics.Topics;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Measures a notifier with many events that wait for endpoints that are dead: its start after a kill, its memory, how
 * late events of healthy endpoints are beside them, and how fast one of the dead is served when it is back.
 */
public final class NotifierWaitingBench {
    private static final int HEALTHY = 100;
    private static final int WARM_UP_SECONDS = 10;
    private static final Duration READING = Duration.ofMinutes(20);
    private static final Duration RECOVERY = Duration.ofMinutes(10);

    private final NotifierSetup stage;
    private final int events;
    private final int endpoints;
    private final int accounts;
    private final int rate;
    private final int seconds;
    private int sent;

    private NotifierWaitingBench(NotifierSetup stage, BenchOptions options) {
        this.stage = stage;
        this.events = options.number("events");
        this.endpoints = options.number("endpoints");
        this.accounts = options.number("accounts");
        this.rate = options.number("rate");
        this.seconds = options.number("seconds");
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        var options = BenchOptions.parse(
                arguments,
                "--events 1000000 --endpoints 1000 --accounts 1000 --rate 200 --seconds 30 --heap 400m",
                "--events 20000 --endpoints 100 --accounts 100 --seconds 5");
        try (var stage = new NotifierSetup(Math.max(HEALTHY, options.number("accounts")))) {
            new NotifierWaitingBench(stage, options).measure("-Xmx" + options.text("heap"));
        }
    }

    @SuppressWarnings("SystemOut")
    private void measure(String heap) throws IOException, InterruptedException {
        WebhookArrivals.Count alone;
        long peak;
        double reading;
        try (var producer = stage.producer(0);
                ChildProcess former = stage.notifier(heap)) {
            healthy(producer, WARM_UP_SECONDS);
            alone = healthy(producer, seconds);
            long began = System.nanoTime();
            fill();
            stage.awaitRead(READING);
            reading = (System.nanoTime() - began) / 1e9;
            peak = former.peakMemory();
            former.kill();
        }
        long started = System.nanoTime();
        try (var producer = stage.producer(0);
                ChildProcess notifier = stage.notifier(heap)) {
            double start = (System.nanoTime() - started) / 1e9;
            healthy(producer, WARM_UP_SECONDS);
            WebhookArrivals.Count beside = healthy(producer, seconds);
            System.out.printf(
                    Locale.ROOT, "%,d events wait for %,d endpoints of %,d accounts%n", events, endpoints, accounts);
            System.out.printf(
                    Locale.ROOT,
                    "they were sent and read at  %,8.0f a second, one after the other%n",
                    events / reading);
            System.out.printf(Locale.ROOT, "after a kill, to ready      %8.1f s, target 15%n", start);
            System.out.printf(Locale.ROOT, "heap (-Xmx)                 %8s, target 400 MB%n", heap);
            System.out.printf(Locale.ROOT, "live after a collection     %8d MB%n", LiveHeap.bytes(notifier) >> 20);
            System.out.printf(
                    Locale.ROOT,
                    "resident at most            %8d MB, of the former one %d MB%n",
                    notifier.peakMemory() >> 20,
                    peak >> 20);
            System.out.printf(
                    Locale.ROOT,
                    "healthy, %d a second: late p50 / p99 / max %.1f / %.1f / %.1f ms%n",
                    rate,
                    beside.lateP50(),
                    beside.lateP99(),
                    beside.lateMax());
            System.out.printf(
                    Locale.ROOT,
                    "  before anything waited    %.1f / %.1f / %.1f ms; p99 is %.2f times that, target 1.1%n",
                    alone.lateP50(),
                    alone.lateP99(),
                    alone.lateMax(),
                    beside.lateP99() / alone.lateP99());
            recover(producer);
        }
    }

    /** Sends to healthy endpoints for a time; returns how late these events were. */
    private WebhookArrivals.Count healthy(KafkaProducer<String, byte[]> producer, int forSeconds)
            throws InterruptedException {
        stage.sendToReceivers("forget");
        long before = stage.count().requests();
        int number = rate * forSeconds;
        BenchEvents.steadily(producer, rate, number, (i, micros) -> {
            // The last accounts, so that a few accounts of dead endpoints are others.
            int account = Math.max(HEALTHY, accounts) - 1 - i % HEALTHY;
            return BenchEvents.event("a" + account, stage.url(account, "fine", micros), new UUID(1, sent++), 1);
        });
        return stage.awaitCount(before + number, Duration.ofMinutes(1));
    }

    private void fill() {
        try (var producer = stage.producer(20)) {
            BenchEvents.atOnce(producer, events, this::dead);
        }
    }

    /** Three events of each report. The first endpoint is one that will be back. */
    private Deliver dead(int number) {
        int endpoint = number / 3 % endpoints;
        String url = stage.url(0, "refuse", 0);
        String other = "127." + (1 + endpoint / 62_500) + "." + endpoint / 250 % 250 + "." + (1 + endpoint % 250);
        return BenchEvents.event(
                "a" + endpoint % accounts,
                endpoint == 0 ? url : url.replace("127.0.0.1", other),
                new UUID(2, number / 3),
                1 + number % 3);
    }

    @SuppressWarnings({"SystemOut", "FutureReturnValueIgnored"})
    private void recover(KafkaProducer<String, byte[]> producer) throws InterruptedException {
        int waiting = 0;
        for (int number = 0; number < events; number++) {
            waiting += number / 3 % endpoints == 0 ? 1 : 0;
        }
        stage.sendToReceivers("heal");
        long before = stage.count().requests();
        long began = System.nanoTime();
        String key = dead(0).endpoint();
        var enable = new EnableEndpoint("a0", key, Instant.now());
        producer.send(new ProducerRecord<>(Topics.DELIVERIES.name(), key, Topics.DELIVERIES.encode(enable)));
        producer.flush();
        // Those that were attempted before are attempted again by their own schedule.
        stage.awaitCount(before + waiting * 9L / 10, RECOVERY);
        System.out.printf(
                Locale.ROOT,
                "one of them is back: nine tenths of its %,d events in %.1f s%n",
                waiting,
                (System.nanoTime() - began) / (double) TimeUnit.SECONDS.toNanos(1));
    }
}
