package millrace.processor.ledger.commit;

import java.time.Duration;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.jspecify.annotations.Nullable;

/** Requests the commit of one task's decisions as soon as the {@link CommitPace} of its thread allows. */
public final class CommitRequests {
    private final ProcessorContext<?, ?> context;
    private final CommitPace pace;
    private @Nullable Cancellable alarm;

    public CommitRequests(ProcessorContext<?, ?> context, CommitPace pace) {
        this.context = context;
        this.pace = pace;
    }

    /** To be called after the task has written a decision. */
    public void decided() {
        Duration rest = pace.decided();
        if (rest.isZero()) {
            context.commit();
        } else if (alarm == null) {
            long before = pace.commits();
            // The punctuation runs once only: Streams commits a task after each punctuation, even without a decision.
            alarm = context.schedule(rest, PunctuationType.WALL_CLOCK_TIME, time -> rested(before));
        }
    }

    private void rested(long before) {
        if (alarm != null) {
            alarm.cancel();
            alarm = null;
        }
        if (pace.commits() == before) {
            context.commit();
        }
    }
}
