package millrace.bench.notifier;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import millrace.bench.process.BenchOptions;
import millrace.bench.process.ChildProcess;
import millrace.bench.process.LiveHeap;

/**
 * Measures a notifier with many events that wait for a retry: its start, its memory, and how late
 * attempts begin.
 */
public final class NotifierWaitingBench {
    private final NotifierSetup stage;
    private final int events;
    private final int endpoints;
    private final int duePerSecond;
    private final int dueSoon;

    private NotifierWaitingBench(NotifierSetup stage, BenchOptions options) {
        this.stage = stage;
        this.events = options.number("events");
        this.endpoints = options.number("endpoints");
        this.duePerSecond = options.number("due-per-second");
        this.dueSoon = duePerSecond * options.number("seconds");
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        var options = BenchOptions.parse(
                arguments,
                "--events 1000000 --endpoints 1000 --due-per-second 200 --seconds 60 --heap 400m",
                "--events 20000 --seconds 5");
        try (var stage = new NotifierSetup(options.number("endpoints"))) {
            new NotifierWaitingBench(stage, options).measure(options.text("heap"));
        }
    }

    @SuppressWarnings("SystemOut")
    private void measure(String heap) throws IOException, InterruptedException {
        // The first event is due when all events have been written and read.
        long firstDue = System.currentTimeMillis() + 25_000 + events / 15;
        fill(firstDue);
        long started = System.nanoTime();
        try (ChildProcess notifier = stage.notifier(List.of(), List.of("-Xmx" + heap))) {
            double seconds = (System.nanoTime() - started) / 1e9;
            long early = firstDue - System.currentTimeMillis();
            WebhookArrivals.Count count = stage.awaitCount(dueSoon, Duration.ofMinutes(3));
            System.out.printf(
                    Locale.ROOT, "%,d events wait, %,d of them are due %d a second%n", events, dueSoon, duePerSecond);
            System.out.printf(Locale.ROOT, "from its start to ready     %8.1f s, target 15%n", seconds);
            System.out.printf(Locale.ROOT, "heap (-Xmx)                 %8s, target 400 MB%n", heap);
            System.out.printf(Locale.ROOT, "live after a collection     %8d MB%n", LiveHeap.bytes(notifier) >> 20);
            System.out.printf(Locale.ROOT, "resident at most            %8d MB%n", notifier.peakMemory() >> 20);
            System.out.printf(
                    Locale.ROOT,
                    "late p50 / p99 / max        %.0f / %.0f / %.0f ms, target 1000 at p99%s%n",
                    count.lateP50(),
                    count.lateP99(),
                    count.lateMax(),
                    early > 0 ? "" : " (it was not ready when the first was due)");
        }
    }

    private void fill(long firstDue) {
        int step = events / dueSoon;
        try (var producer = stage.producer(20)) {
            for (int i = 0; i < events; i++) {
                // Events that are due soon lie anywhere among the others.
                boolean soon = i % step == 0 && i / step < dueSoon;
                WaitingEvents.put(
                        stage,
                        producer,
                        i,
                        i % endpoints,
                        soon
                                ? firstDue + 1000L * (i / step) / duePerSecond
                                : firstDue + Duration.ofHours(10).toMillis());
            }
        }
    }
}
