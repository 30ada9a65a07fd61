package millrace.processor.rendering.tasks;

import java.time.Duration;
import java.util.concurrent.Future;
import millrace.contracts.commands.RenderTask;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * One run of a task in this process. A run is answered at most once: the first caller of {@link #decide()} answers it.
 * Its times are those of the monotonic clock, so that neither a wall clock that is set nor a machine that was suspended
 * ends a run. Thread-safe.
 */
final class TaskExecution {
    /** The partition of tasks that have no record. */
    private static final TopicPartition IN_MEMORY = new TopicPartition("", -1);

    private final RenderTask task;
    private final TopicPartition partition;
    private final long offset;
    private final long handedOutAt;
    private final @Nullable String traceparent;
    private final int bytes;
    // Nanoseconds of the monotonic clock
    private @Nullable Long enqueuedAt;
    private @Nullable Long startedAt;
    private @Nullable Long lastHeartbeat;
    private @Nullable Long stoppedAt;

    private @Nullable RunningTask running;
    private @Nullable Future<?> thread;
    private boolean decided;
    private boolean runEnded;
    private boolean settled;

    /**
     * @param handedOutAt when the ledger handed the task out, in milliseconds since the epoch
     * @param traceparent W3C trace context of the report, or null
     * @param bytes size of the task's record
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

    /** A run of a task that the ledger of this process has handed over in memory. */
    static TaskExecution inMemory(RenderTask task, long handedOutAt, @Nullable String traceparent, int bytes) {
        return new TaskExecution(task, IN_MEMORY, -1, handedOutAt, traceparent, bytes);
    }

    /** A new run of the same task. */
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

    /** The run waits for a thread from now on. */
    synchronized void enqueued(long now) {
        enqueuedAt = now;
    }

    synchronized void runsIn(Future<?> future) {
        thread = future;
    }

    /** Begins the run on its thread. Returns false where it was decided, or taken back, while it waited. */
    synchronized boolean begin(long now) {
        startedAt = now;
        lastHeartbeat = now;
        return !decided;
    }

    /** Takes a run back that has waited longer than this and has not begun. Returns whether it was taken back. */
    synchronized boolean takeBack(Duration longest, long now) {
        boolean waits = !decided && startedAt == null && isOver(enqueuedAt, longest, now);
        decided = decided || waits;
        return waits;
    }

    synchronized void started(RunningTask begun) {
        running = begun;
        if (decided) {
            begun.cancel();
        }
    }

    /** Returns true for the first caller only, which answers the task or drops it. */
    synchronized boolean decide() {
        boolean first = !decided;
        decided = true;
        return first;
    }

    /** Stops the run; to be called after {@link #decide()}. */
    synchronized void stop(long now) {
        stoppedAt = now;
        if (running != null) {
            running.cancel();
        }
        // A run that has not begun finds in begin() that it is decided.
        if (thread != null && startedAt != null) {
            thread.cancel(true);
        }
    }

    /** To be called when the thread has ended the run. Returns whether it is also {@linkplain #settle settled}. */
    synchronized boolean endRun() {
        runEnded = true;
        return settled;
    }

    /**
     * To be called once the end of the task is committed, or the task is dropped. Returns whether its thread has ended
     * the run, too.
     */
    synchronized boolean settle() {
        settled = true;
        return runEnded;
    }

    synchronized boolean lastsLongerThan(Duration limit, long now) {
        return !decided && isOver(startedAt, limit, now);
    }

    /** Whether the thread still runs the task, longer than the grace after it was stopped. */
    synchronized boolean hangs(Duration grace, long now) {
        return !runEnded && startedAt != null && isOver(stoppedAt, grace, now);
    }

    /** Whether a heartbeat is due; if so, the next one is due after {@code every}. */
    synchronized boolean isDueForHeartbeat(Duration every, long now) {
        boolean due = !decided && lastHeartbeat != null && now - lastHeartbeat >= every.toNanos();
        if (due) {
            lastHeartbeat = now;
        }
        return due;
    }

    private static boolean isOver(@Nullable Long begin, Duration time, long now) {
        return begin != null && now - begin > time.toNanos();
    }

    synchronized long rows() {
        return running == null ? 0 : running.rows();
    }
}
