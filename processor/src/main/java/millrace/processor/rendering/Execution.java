package millrace.processor.rendering;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Future;
import millrace.contracts.RenderTask;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** One run of one task on this machine. It is answered at most once; whoever answers it says so first. */
final class Execution {
    private final RenderTask task;
    private final TopicPartition partition;
    private final long offset;
    private final long handedOutAt;
    private final @Nullable String traceparent;
    private @Nullable Instant since;
    private @Nullable Instant lastBeat;
    private @Nullable RunningTask running;
    private @Nullable Future<?> thread;
    private boolean decided;

    /**
     * @param handedOutAt when the ledger did, in milliseconds
     * @param traceparent W3C trace context of the report, or null
     */
    Execution(RenderTask task, TopicPartition partition, long offset, long handedOutAt, @Nullable String traceparent) {
        this.task = task;
        this.partition = partition;
        this.offset = offset;
        this.handedOutAt = handedOutAt;
        this.traceparent = traceparent;
    }

    RenderTask task() {
        return task;
    }

    TopicPartition partition() {
        return partition;
    }

    long handedOutAt() {
        return handedOutAt;
    }

    @Nullable
    String traceparent() {
        return traceparent;
    }

    long offset() {
        return offset;
    }

    synchronized void on(Future<?> future) {
        thread = future;
    }

    /** The worker begins; false where the task was decided while it waited. */
    synchronized boolean begin(Instant now) {
        since = now;
        lastBeat = now;
        return !decided;
    }

    synchronized void runs(RunningTask begun) {
        running = begun;
        if (decided) {
            begun.cancel();
        }
    }

    /** True for the first caller: it alone answers, or drops the task unanswered. */
    synchronized boolean decide() {
        boolean first = !decided;
        decided = true;
        return first;
    }

    /** Stops the work; call it after {@link #decide()}. */
    synchronized void stop() {
        if (running != null) {
            running.cancel();
        }
        // One that has not begun sees for itself that it need not.
        if (thread != null && since != null) {
            thread.cancel(true);
        }
    }

    synchronized boolean lastsLongerThan(Duration limit, Instant now) {
        return !decided && since != null && now.isAfter(since.plus(limit));
    }

    /** Whether it is time to say that it is alive; then the next time is counted from now. */
    synchronized boolean isDueForBeat(Duration every, Instant now) {
        boolean due = !decided && lastBeat != null && !now.isBefore(lastBeat.plus(every));
        if (due) {
            lastBeat = now;
        }
        return due;
    }

    synchronized long rows() {
        return running == null ? 0 : running.rows();
    }
}
