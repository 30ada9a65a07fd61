package millrace.processor.ledger.streams;

import java.time.Duration;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.jspecify.annotations.Nullable;

/** Requests the commit of one task's decisions as soon as the transaction of its thread allows. */
final class CommitRequests {
    private final ProcessorContext<?, ?> context;
    private final LedgerTransaction transaction;
    private final Runnable beforeCommit;
    private @Nullable Cancellable alarm;

    /** @param beforeCommit decides what else is there to be decided, when the commit may be due */
    public CommitRequests(ProcessorContext<?, ?> context, LedgerTransaction transaction, Runnable beforeCommit) {
        this.context = context;
        this.transaction = transaction;
        this.beforeCommit = beforeCommit;
    }

    /** To be called after the task has written something that has to be committed. */
    public void decided() {
        transaction.decided();
        request();
    }

    private void request() {
        Duration rest = transaction.rest();
        if (rest.isZero()) {
            context.commit();
        } else if (alarm == null) {
            // The punctuation runs once only: Streams commits a task after each punctuation, even without a decision.
            alarm = context.schedule(rest, PunctuationType.WALL_CLOCK_TIME, time -> rested());
        }
    }

    private void rested() {
        if (alarm != null) {
            alarm.cancel();
            alarm = null;
        }
        beforeCommit.run();
        if (transaction.changed()) {
            request();
        }
    }
}
