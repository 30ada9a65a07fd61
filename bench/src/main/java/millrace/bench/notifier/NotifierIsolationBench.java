package millrace.bench.notifier;

import static millrace.bench.process.Output.print;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import millrace.bench.process.BenchOptions;
import millrace.bench.process.ChildProcess;
import millrace.bench.process.Measurements;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.jspecify.annotations.Nullable;

/**
 * Measures the latency of healthy receivers beside sick ones: at a steady rate to a thousand
 * endpoints, first without sick ones, then with a tenth that hangs, a twentieth that drips and a
 * twentieth that refuses.
 */
public final class NotifierIsolationBench {
    private static final double TARGET = 1.2;
    private static final int PER_HUNDRED = 100;

    private final NotifierSetup stage;
    private final int endpoints;
    private final int rate;
    private int number;

    private NotifierIsolationBench(NotifierSetup stage, BenchOptions options) {
        this.stage = stage;
        this.endpoints = options.number("endpoints");
        this.rate = options.number("rate");
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        var options = BenchOptions.parse(
                arguments,
                "--endpoints 1000 --rate 1000 --rounds 3 --warm-up 20 --seconds 25",
                "--endpoints 100 --rate 100 --rounds 1 --warm-up 2 --seconds 8");
        List<Double> without = new ArrayList<>();
        List<Double> with = new ArrayList<>();
        for (int round = 1; round <= options.number("rounds"); round++) {
            try (var stage = new NotifierSetup(options.number("endpoints"))) {
                Result result = new NotifierIsolationBench(stage, options)
                        .measure(options.number("warm-up"), options.number("seconds"));
                print("round %d: %s", round, result);
                without.add(result.without().lateP99());
                with.add(result.with().lateP99());
            }
        }
        print("healthy p99 without sick endpoints, ms  %s", Measurements.of(without));
        print("healthy p99 beside them, ms             %s", Measurements.of(with));
        print(
                "ratio of the medians                    %.2f, target %.1f",
                Measurements.of(with).median() / Measurements.of(without).median(), TARGET);
    }

    private record Result(WebhookArrivals.Count without, WebhookArrivals.Count with, double percent) {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "healthy p50 / p99 / max %s without, %s beside the sick, with %.0f %% of a core",
                    without,
                    with,
                    percent);
        }
    }

    private Result measure(int warmUp, int seconds) throws IOException, InterruptedException {
        // Retries come sooner than by default, so that they are measured, too.
        try (ChildProcess notifier = stage.notifier(
                        "-Xmx512m",
                        "--notifier.retries",
                        "5s,5s,10s,10s,10s,10s,10s,10s,10s",
                        "--notifier.probes",
                        "5s,10s");
                var producer = stage.producer(0)) {
            send(producer, warmUp, false);
            WebhookArrivals.Count without = round(producer, seconds, false);
            Duration cpu = notifier.cpu();
            WebhookArrivals.Count with = round(producer, seconds, true);
            return new Result(without, with, notifier.cpu().minus(cpu).toMillis() / (10.0 * seconds));
        }
    }

    private WebhookArrivals.Count round(KafkaProducer<String, byte[]> producer, int seconds, boolean sick)
            throws InterruptedException {
        stage.receivers().tell("forget");
        send(producer, seconds, sick);
        TimeUnit.SECONDS.sleep(2);
        return stage.receivers().count();
    }

    /** Sends to all endpoints in turn; leaves out the sick ones in rounds without them. */
    private void send(KafkaProducer<String, byte[]> producer, int seconds, boolean sick) {
        BenchEvents.steadily(producer, rate, rate * seconds, (i, due) -> event(due, sick));
    }

    private @Nullable Deliver event(long due, boolean sick) {
        int endpoint = number++ % endpoints;
        String what = what(endpoint);
        if (!what.equals("fine") && !sick) {
            return null;
        }
        // Three events of each report, one after the other.
        int turn = (number - 1) / endpoints;
        return BenchEvents.event(
                "a" + endpoint, stage.receivers().url(endpoint, what, due), new UUID(endpoint, turn / 3), turn % 3 + 1);
    }

    private static String what(int endpoint) {
        int share = endpoint % PER_HUNDRED;
        return share < 10 ? "hang" : share < 15 ? "drip" : share < 20 ? "refuse" : "fine";
    }
}
