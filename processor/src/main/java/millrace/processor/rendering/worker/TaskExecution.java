package millrace.processor.rendering.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Future;
import millrace.contracts.commands.RenderTask;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** One run of one task on this machine. It is answered at most once; whoever answers it says so first. */
public final class TaskExecution {
    private final RenderTask task;
    private final TopicPartition partition;
    private final long offset;
    private final long handedOutAt;
    private final @Nullable String traceparent;
    private final int bytes;
    private @Nullable Instant waitsSince;
    private @Nullable Instant runsSince;
    private @Nullable Instant lastHeartbeat;
    private @Nullable Instant stoppedAt;
    private @Nullable RunningTask running;
    private @Nullable Future<?> thread;
    private boolean decided;
    private boolean runEnded;
    private boolean settled;

    /**
     * @param handedOutAt when the ledger did, in milliseconds
     * @param traceparent W3C trace context of the report, or null
     * @param bytes of the task's record
     */
    public TaskExecution(
            RenderTask task,
            TopicPartition partition,
            long offset,
            long handedOutAt,
            @Nullable String traceparent,
            int bytes) {
        this.task = task;
        this.partition = partition;
        this.offset = offset;
        this.handedOutAt = handedOutAt;
        this.traceparent = traceparent;
        this.bytes = bytes;
    }

    /** A further run of the same task. */
    public TaskExecution again() {
        return new TaskExecution(task, partition, offset, handedOutAt, traceparent, bytes);
    }

    public RenderTask task() {
        return task;
    }

    public TopicPartition partition() {
        return partition;
    }

    long handedOutAt() {
        return handedOutAt;
    }

    @Nullable
    String traceparent() {
        return traceparent;
    }

    public long offset() {
        return offset;
    }

    public int bytes() {
        return bytes;
    }

    /** It waits for a thread from now on. */
    synchronized void waits(Instant now) {
        waitsSince = now;
    }

    synchronized void on(Future<?> future) {
        thread = future;
    }

    /** Its thread begins; false where the task was decided, or taken back, while it waited. */
    synchronized boolean begin(Instant now) {
        runsSince = now;
        lastHeartbeat = now;
        return !decided;
    }

    /** Takes it back from a thread that has not begun it by then. True where it never will. */
    synchronized boolean takeBack(Instant waitedSince) {
        boolean waits = !decided && runsSince == null && waitsSince != null && waitsSince.isBefore(waitedSince);
        decided = decided || waits;
        return waits;
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
    synchronized void stop(Instant now) {
        stoppedAt = now;
        if (running != null) {
            running.cancel();
        }
        // One that has not begun sees for itself that it need not.
        if (thread != null && runsSince != null) {
            thread.cancel(true);
        }
    }

    /** Its thread is done with it. True where it is {@linkplain #settle settled}, too. */
    synchronized boolean endRun() {
        runEnded = true;
        return settled;
    }

    /** Its answer is acknowledged and its end durable, or it is dropped. True where its run has ended, too. */
    synchronized boolean settle() {
        settled = true;
        return runEnded;
    }

    synchronized boolean lastsLongerThan(Duration limit, Instant now) {
        return !decided && runsSince != null && now.isAfter(runsSince.plus(limit));
    }

    /** Whether its thread goes on although it was stopped so long ago. */
    synchronized boolean hangs(Duration grace, Instant now) {
        return !runEnded && runsSince != null && stoppedAt != null && now.isAfter(stoppedAt.plus(grace));
    }

    /** Whether it is time to say that it is alive; then the next time is counted from now. */
    synchronized boolean isDueForHeartbeat(Duration every, Instant now) {
        boolean due = !decided && lastHeartbeat != null && !now.isBefore(lastHeartbeat.plus(every));
        if (due) {
            lastHeartbeat = now;
        }
        return due;
    }

    synchronized long rows() {
        return running == null ? 0 : running.rows();
    }
}
