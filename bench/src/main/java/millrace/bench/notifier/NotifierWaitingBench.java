package millrace.bench.notifier;

import static millrace.bench.process.Output.print;

import java.io.IOException;
import java.time.Duration;
import java.util.UUID;
import millrace.bench.process.BenchOptions;
import millrace.bench.process.ChildProcess;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import org.apache.kafka.clients.producer.KafkaProducer;

/**
 * Measures a notifier with many events that wait for endpoints that are dead: its start after a kill, its memory, and how
 * late events of healthy endpoints are beside them.
 */
public final class NotifierWaitingBench {
    private static final int HEALTHY = 100;
    private static final int WARM_UP_SECONDS = 10;
    private static final Duration READING = Duration.ofMinutes(20);

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

    private void measure(String heap) throws IOException, InterruptedException {
        WebhookArrivals.Count alone;
        long empty;
        try (var producer = stage.producer(0);
                ChildProcess former = stage.notifier(heap)) {
            var unused = healthy(producer, WARM_UP_SECONDS);
            alone = healthy(producer, seconds);
            empty = former.liveHeap();
            fill();
            stage.awaitRead(READING);
            former.kill();
        }
        long started = System.nanoTime();
        try (var producer = stage.producer(0);
                ChildProcess notifier = stage.notifier(heap)) {
            double start = (System.nanoTime() - started) / 1e9;
            var unused = healthy(producer, WARM_UP_SECONDS);
            WebhookArrivals.Count beside = healthy(producer, seconds);
            print("%,d events wait for %,d endpoints of %,d accounts", events, endpoints, accounts);
            print("after a kill, to ready      %8.1f s, target 15", start);
            print("heap                        %8s, target 400 MB", heap);
            long live = notifier.liveHeap();
            print("live after a collection     %8d MB, %d bytes of an event", live >> 20, (live - empty) / events);
            print("resident at most            %8d MB", notifier.peakMemory() >> 20);
            print("healthy, %d a second: late p50 / p99 / max %s", rate, beside);
            print(
                    "  before anything waited    %s; p99 is %.2f times that, target 1.1",
                    alone, beside.lateP99() / alone.lateP99());
        }
    }

    /** Sends to healthy endpoints for a time; returns how late these events were. */
    private WebhookArrivals.Count healthy(KafkaProducer<String, byte[]> producer, int forSeconds)
            throws InterruptedException {
        stage.receivers().tell("forget");
        long before = stage.receivers().count().requests();
        int number = rate * forSeconds;
        BenchEvents.steadily(producer, rate, number, (i, micros) -> {
            // The last accounts, so that a few accounts of dead endpoints are others.
            int account = Math.max(HEALTHY, accounts) - 1 - i % HEALTHY;
            String url = stage.receivers().url(account, "fine", micros);
            return BenchEvents.event("a" + account, url, new UUID(1, sent++), 1);
        });
        return stage.receivers().awaitCount(before + number, Duration.ofMinutes(1));
    }

    private void fill() {
        try (var producer = stage.producer(20)) {
            BenchEvents.atOnce(producer, events, this::dead);
        }
    }

    /** Three events of each report. */
    private Deliver dead(int number) {
        int endpoint = number / 3 % endpoints;
        String url = stage.receivers().url(0, "refuse", 0);
        String other = "127." + (1 + endpoint / 62_500) + "." + endpoint / 250 % 250 + "." + (1 + endpoint % 250);
        return BenchEvents.event(
                "a" + endpoint % accounts, url.replace("127.0.0.1", other), new UUID(2, number / 3), 1 + number % 3);
    }
}
