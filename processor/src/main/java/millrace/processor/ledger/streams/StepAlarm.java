package millrace.processor.ledger.streams;

import java.time.Duration;
import java.time.Instant;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.jspecify.annotations.Nullable;

/**
 * Wakes a step once. A process may have hundreds of steps, and Streams commits each one that was woken, so that those
 * without anything to do should sleep.
 */
final class StepAlarm {
    /** Streams keeps a punctuation that was cancelled until its time comes, so that none may be far ahead. */
    static final Duration LONGEST = Duration.ofMinutes(10);

    private final ProcessorContext<?, ?> context;
    private final Runnable action;
    private Instant at = Instant.MAX;
    private @Nullable Cancellable scheduled;

    StepAlarm(ProcessorContext<?, ?> context, Runnable action) {
        this.context = context;
        this.action = action;
    }

    /** Runs the action at this time, or sooner: where it was to run earlier anyway, and after {@link #LONGEST}. */
    void by(Instant time) {
        if (!time.isBefore(at)) {
            return;
        }
        Instant now = Instant.ofEpochMilli(context.currentSystemTimeMs());
        Instant latest = now.plus(LONGEST);
        Instant next = time.isBefore(latest) ? time : latest;
        if (next.isBefore(at)) {
            cancel();
            at = next;
            // Streams knows whole milliseconds, and no interval below one.
            long millis = Math.max(1, Duration.between(now, next).toMillis());
            scheduled =
                    context.schedule(Duration.ofMillis(millis), PunctuationType.WALL_CLOCK_TIME, timestamp -> ring());
        }
    }

    private void ring() {
        cancel();
        action.run();
    }

    private void cancel() {
        at = Instant.MAX;
        if (scheduled != null) {
            scheduled.cancel();
            scheduled = null;
        }
    }
}
