package millrace.bench.notifier;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Scanner;

/**
 * Counts the requests at receivers and how late they arrive, and records each event with its times
 * if that is asked for.
 */
final class WebhookArrivals {
    private static final int MICROS_PER_STEP = 100;
    private static final int STEPS = 600_000;

    private final int[] late = new int[STEPS + 1];
    /** The times of each event in microseconds since the epoch. */
    private final Map<String, List<Long>> times = new LinkedHashMap<>();

    private long requests;
    private long timed;
    private boolean recording;

    /**
     * Quantiles in milliseconds, to a tenth, at most a minute, of requests with a due time in their
     * path.
     */
    record Count(long requests, double lateP50, double lateP99, double lateMax) {
        static Count parse(String line) {
            try (var words = new Scanner(line).useLocale(Locale.ROOT)) {
                words.next();
                return new Count(words.nextLong(), words.nextDouble(), words.nextDouble(), words.nextDouble());
            }
        }

        /** The quantiles. */
        @Override
        public String toString() {
            return String.format(Locale.ROOT, "%.1f / %.1f / %.1f ms", lateP50, lateP99, lateMax);
        }
    }

    /** From now on each event is recorded with the times at which it arrived. */
    synchronized void record() {
        recording = true;
    }

    /**
     * @param due microseconds since the epoch; 0 if the latency does not matter
     * @return how often the event has arrived, if that is recorded
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
        List<Long> all = times.computeIfAbsent(event, e -> new ArrayList<>(1));
        all.add(now);
        return all.size();
    }

    synchronized String count() {
        return String.format(Locale.ROOT, "count %d %.1f %.1f %.1f", requests, late(0.5), late(0.99), late(1));
    }

    /** Forgets the latencies, but not the count. */
    synchronized void forgetTimes() {
        Arrays.fill(late, 0);
        timed = 0;
    }

    /** Writes a line for each event that is recorded: its id and its times. */
    synchronized void write(Path file) throws IOException {
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (Map.Entry<String, List<Long>> event : times.entrySet()) {
                out.write(event.getKey());
                for (long time : event.getValue()) {
                    out.write(" " + time);
                }
                out.write("\n");
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
