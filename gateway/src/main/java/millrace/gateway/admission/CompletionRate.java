package millrace.gateway.admission;

import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/**
 * Measures how many reports end per second, and derives from it the Retry-After of reports that are
 * processing.
 */
@Singleton
public final class CompletionRate {
    private static final Duration PERIOD = Duration.ofMillis(500);
    private static final Duration WINDOW = Duration.ofMinutes(1);
    private static final Duration LONGEST = Duration.ofMinutes(1);
    private static final double SLOWEST_PER_SECOND = 5;

    /** @param at nanoseconds of the monotonic clock */
    private record Sample(long at, long ended) {}

    private final Deque<Sample> samples = new ArrayDeque<>();

    /**
     * Samples twice a second until the thread is interrupted.
     *
     * @param ended reports that have ended since the start
     */
    public void follow(LongSupplier ended) {
        try {
            while (!Thread.interrupted()) {
                sample(System.nanoTime(), ended.getAsLong());
                Thread.sleep(PERIOD);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    synchronized void sample(long at, long ended) {
        samples.addLast(new Sample(at, ended));
        while (at - samples.getFirst().at() > WINDOW.toNanos()) {
            samples.removeFirst();
        }
    }

    /**
     * For a queued report: the time until as many reports have ended as are open.
     *
     * @return 1 s to 1 min
     */
    public synchronized Duration untilCompleted(long open) {
        return bounded(open / Math.max(SLOWEST_PER_SECOND, perSecond()));
    }

    /**
     * For a report that is being rendered: extrapolates its own progress.
     *
     * @param running time since it was accepted
     * @param progress 0 to 1
     * @return 1 s to 1 min
     */
    public static Duration untilCompleted(Duration running, double progress) {
        return progress < 0.01 ? LONGEST.dividedBy(60) : bounded(running.toMillis() / 1e3 * (1 - progress) / progress);
    }

    private double perSecond() {
        if (samples.size() < 2) {
            return 0;
        }
        Sample first = samples.getFirst();
        Sample last = samples.getLast();
        double seconds = (last.at() - first.at()) / 1e9;
        return seconds <= 0 ? 0 : (last.ended() - first.ended()) / seconds;
    }

    private static Duration bounded(double seconds) {
        return Duration.ofSeconds((long) Math.ceil(Math.clamp(seconds, 1.0, (double) LONGEST.toSeconds())));
    }
}
