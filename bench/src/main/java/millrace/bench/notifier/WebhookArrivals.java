package millrace.bench.notifier;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Scanner;

/**
 * Counts the requests at receivers and how late they arrive, and records each event with its time
 * where that is asked for.
 */
public final class WebhookArrivals {
    private static final int MICROS_PER_STEP = 100;
    private static final int STEPS = 600_000;

    private final int[] late = new int[STEPS + 1];
    private final List<Arrival> each = new ArrayList<>();
    private final Map<String, Integer> times = new HashMap<>();
    private long requests;
    private long timed;
    private boolean recording;

    /**
     * One request.
     *
     * @param event {@code webhook-id}
     * @param micros since the epoch
     */
    public record Arrival(String event, long micros) {
        /** Reads what {@link WebhookArrivals#write} has written, in the order of arrival. */
        public static List<Arrival> read(Path file) throws IOException {
            return Files.readAllLines(file).stream()
                    .map(line -> new Arrival(
                            line.substring(0, line.indexOf(' ')),
                            Long.parseLong(line.substring(line.indexOf(' ') + 1))))
                    .toList();
        }
    }

    /**
     * Quantiles in milliseconds, to a tenth, at most a minute, of requests with a due time in their
     * path.
     */
    public record Count(
            long requests, double lateP50, double lateP95, double lateP99, double lateP999, double lateMax) {
        public static Count parse(String line) {
            try (var words = new Scanner(line).useLocale(Locale.ROOT)) {
                words.next();
                return new Count(
                        words.nextLong(),
                        words.nextDouble(),
                        words.nextDouble(),
                        words.nextDouble(),
                        words.nextDouble(),
                        words.nextDouble());
            }
        }
    }

    /** From now on each event is recorded with how often it arrived. */
    synchronized void record() {
        recording = true;
    }

    /**
     * @param due microseconds since the epoch; 0 where the latency does not matter
     * @return how often the event has arrived, where that is recorded
     */
    synchronized int add(String event, long due, long now) {
        requests++;
        if (due > 0) {
            timed++;
            late[Math.clamp((now - due) / MICROS_PER_STEP, 0, STEPS)]++;
        }
        if (!recording) {
            return 1;
        }
        each.add(new Arrival(event, now));
        return times.merge(event, 1, Integer::sum);
    }

    synchronized String count() {
        return String.format(
                Locale.ROOT,
                "count %d %.1f %.1f %.1f %.1f %.1f",
                requests,
                late(0.5),
                late(0.95),
                late(0.99),
                late(0.999),
                late(1));
    }

    /** Forgets the latencies, but not the count. */
    synchronized void forgetTimes() {
        java.util.Arrays.fill(late, 0);
        timed = 0;
    }

    synchronized void write(Path file) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (Arrival arrival : each) {
                out.write(arrival.event() + " " + arrival.micros() + "\n");
            }
        }
    }

    private double late(double quantile) {
        long rank = (long) Math.ceil(quantile * timed);
        long seen = 0;
        for (int step = 0; step <= STEPS; step++) {
            seen += late[step];
            if (seen > 0 && seen >= rank) {
                return step * MICROS_PER_STEP / 1e3;
            }
        }
        return 0;
    }
}
