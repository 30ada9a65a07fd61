package millrace.bench.notifier;

import static millrace.bench.process.Output.print;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import millrace.bench.process.BenchOptions;
import millrace.bench.process.ChildProcess;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import millrace.contracts.delivery.WebhookAttempt;
import millrace.contracts.topics.Topics;

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
    private int kills;

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

    private void run() throws IOException, InterruptedException {
        stage.receivers().tell("record");
        int seconds = options.number("seconds");
        CompletableFuture<Void> load = CompletableFuture.runAsync(() -> send(options.number("rate"), seconds));
        ChildProcess notifier = stage.notifier("-Xmx256m");
        long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
        int restartBrokerAfter = Math.max(1, seconds / options.number("every") / 2);
        for (int kill = 1; System.nanoTime() < end; kill++) {
            TimeUnit.SECONDS.sleep(options.number("every"));
            notifier.kill();
            kills++;
            notifier = stage.notifier("-Xmx256m");
            if (kill == restartBrokerAfter) {
                TimeUnit.SECONDS.sleep(2);
                stage.kafka().restart();
                kills++;
            }
        }
        load.join();
        Map<String, List<Long>> arrivals = settle();
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
        Deliver event =
                BenchEvents.event("a" + endpoint, stage.receivers().url(endpoint, what, 0), new UUID(1, number), 1);
        synchronized (sent) {
            sent.add(event.eventId());
        }
        return event;
    }

    /** Waits until each event has arrived, and nothing more has for as long as a retry may take. */
    private Map<String, List<Long>> settle() throws IOException, InterruptedException {
        long end = System.nanoTime() + SETTLING.toNanos();
        Map<String, List<Long>> arrivals = stage.receivers().arrivals();
        long before = -1;
        while (System.nanoTime() < end && (requests(arrivals) > before || arrivals.size() < sent.size())) {
            before = requests(arrivals);
            TimeUnit.SECONDS.sleep(8);
            arrivals = stage.receivers().arrivals();
        }
        return arrivals;
    }

    private static long requests(Map<String, List<Long>> arrivals) {
        return arrivals.values().stream().mapToInt(List::size).sum();
    }

    /** Number of committed attempts of each event. */
    private Map<String, Integer> attempts() {
        Map<String, Integer> attempts = new HashMap<>();
        stage.kafka().forEach(Topics.WEBHOOK_ATTEMPTS.name(), record -> {
            WebhookAttempt attempt = Topics.WEBHOOK_ATTEMPTS.decode(record.value());
            attempts.merge(attempt.eventId(), 1, Integer::sum);
        });
        return attempts;
    }

    /** Counts as repeated what arrived more often than there are committed attempts. */
    private void report(Map<String, List<Long>> arrivals, Map<String, Integer> attempts) {
        int repeats = arrivals.entrySet().stream()
                .mapToInt(event -> Math.max(0, event.getValue().size() - attempts.getOrDefault(event.getKey(), 0)))
                .sum();
        print("%,d events, %d kills", sent.size(), kills);
        print(
                "lost                        %8d",
                sent.stream().filter(id -> !arrivals.containsKey(id)).count());
        print("requests                    %8d", requests(arrivals));
        print("repeats                     %8d, %.1f for each kill", repeats, (double) repeats / kills);
    }
}
