package millrace.client.cli.api;

import java.time.Duration;
import java.util.function.Consumer;
import millrace.client.cli.output.Words;
import millrace.client.cli.session.Waiting;
import org.jspecify.annotations.Nullable;

/**
 * Whether and when something that failed is tried again: for a limited time since it last worked,
 * after pauses that grow, or later where the service asks for it. Says so once, so that nobody
 * wonders.
 */
public final class RetryDelay {
    private static final Duration FIRST = Duration.ofMillis(200);
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private final Waiting waiting;
    private final Duration limit;
    private final Consumer<String> say;
    private Duration next = FIRST;
    private long since;
    private boolean failing;

    RetryDelay(Waiting waiting, Duration limit, Consumer<String> say) {
        this.waiting = waiting;
        this.limit = limit;
        this.say = say;
    }

    /**
     * Waits until it is time to try again.
     *
     * @param failure what happened, one sentence without its full stop
     * @param asked by the service, or null
     * @return false where there is no time left
     */
    public boolean pause(String failure, @Nullable Duration asked) throws InterruptedException {
        long now = waiting.nanoTime();
        boolean first = !failing;
        if (first) {
            failing = true;
            since = now;
        }
        Duration wait = asked == null || asked.compareTo(next) < 0 ? next : asked;
        if (Duration.ofNanos(now - since).plus(wait).compareTo(limit) > 0) {
            return false;
        }
        if (first) {
            say.accept(failure + "; trying again for up to " + Words.duration(limit));
        }
        if (wait.equals(next)) {
            next = next.multipliedBy(2).compareTo(LONGEST) > 0 ? LONGEST : next.multipliedBy(2);
        }
        waiting.pause(wait);
        return true;
    }

    public void worked() {
        failing = false;
        next = FIRST;
    }
}
