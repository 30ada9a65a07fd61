package millrace.processor.rendering.tasks;

import java.time.Duration;
import millrace.processor.rendering.tasks.TaskRunner.RunningTask;
import org.jspecify.annotations.Nullable;

/**
 * One run of a task in this process. It is answered at most once: by its thread, or by whoever stops it.
 *
 * <pre>
 *   Waiting ──begin──► Running ──answer──► Answered ──end──► Ended
 *      │                  └──────stop────► Stopped ───end──►   ▲
 *      └──stop, takeBack───────────────────────────────────────┘
 * </pre>
 *
 * <p>Its times are nanoseconds of the monotonic clock, so that neither a wall clock that is set nor a machine that was
 * suspended ends a run. Thread-safe.
 */
final class TaskRun {
    private final QueuedTask queued;
    private State state;
    private boolean settled;

    private sealed interface State {}

    private record Waiting(long since) implements State {}

    /** @param rendering null until the task can be cancelled */
    private record Running(
            long since,
            long lastHeartbeat,
            Thread thread,
            @Nullable RunningTask rendering) implements State {}

    private record Answered() implements State {}

    private record Stopped(long since) implements State {}

    private record Ended() implements State {}

    /** A run that waits for a thread from now on. */
    TaskRun(QueuedTask queued, long now) {
        this.queued = queued;
        this.state = new Waiting(now);
    }

    QueuedTask queued() {
        return queued;
    }

    /** Begins the run on the calling thread. Returns false if it was stopped or taken back while it waited. */
    synchronized boolean begin(long now) {
        boolean waiting = state instanceof Waiting;
        if (waiting) {
            state = new Running(now, now, Thread.currentThread(), null);
        }
        return waiting;
    }

    /** Takes the task that can be cancelled from now on, and cancels it if the run was stopped meanwhile. */
    synchronized void rendering(RunningTask begun) {
        if (state instanceof Running(long since, long heartbeat, Thread thread, var _)) {
            state = new Running(since, heartbeat, thread, begun);
        } else {
            begun.cancel();
        }
    }

    /** Returns whether the run may be answered by its thread, which is so unless it was stopped. */
    synchronized boolean answer() {
        boolean running = state instanceof Running;
        if (running) {
            state = new Answered();
        }
        return running;
    }

    /**
     * Stops the run, unless it is answered or stopped already.
     *
     * @param interrupt whether its thread is interrupted
     * @return whether this call stopped it; the caller answers it or drops it
     */
    synchronized boolean stop(long now, boolean interrupt) {
        if (state instanceof Waiting) {
            state = new Ended();
            return true;
        }
        if (state instanceof Running running) {
            state = new Stopped(now);
            if (running.rendering() != null) {
                running.rendering().cancel();
            }
            if (interrupt) {
                running.thread().interrupt();
            }
            return true;
        }
        return false;
    }

    /** Takes a run back that has waited for a thread longer than this. Returns whether it was taken back. */
    synchronized boolean takeBack(Duration longest, long now) {
        return state instanceof Waiting(long since) && isOver(since, longest, now) && stop(now, false);
    }

    /**
     * To be called when the thread has ended the run. Returns whether the task leaves the isolation: the run is
     * {@linkplain #settle settled}, too, and has not left before.
     */
    synchronized boolean end() {
        boolean ends = !(state instanceof Ended);
        state = new Ended();
        return ends && settled;
    }

    /**
     * To be called once the end of the task is committed, or the task is dropped. Returns whether the task leaves the
     * isolation: no thread runs it any more.
     */
    synchronized boolean settle() {
        settled = true;
        return state instanceof Ended;
    }

    /** Whether it is running for longer than this, and not stopped. */
    synchronized boolean lastsLongerThan(Duration limit, long now) {
        return state instanceof Running running && isOver(running.since(), limit, now);
    }

    /** Whether its thread goes on for longer than this after it was stopped. */
    synchronized boolean hangs(Duration grace, long now) {
        return state instanceof Stopped(long since) && isOver(since, grace, now);
    }

    /** Whether a heartbeat is due. If so, the next one is due after {@code every}. */
    synchronized boolean isDueForHeartbeat(Duration every, long now) {
        if (state instanceof Running(long since, long last, Thread thread, var rendering)
                && now - last >= every.toNanos()) {
            state = new Running(since, now, thread, rendering);
            return true;
        }
        return false;
    }

    /** Number of rows written so far. */
    synchronized long rows() {
        return state instanceof Running running && running.rendering() != null
                ? running.rendering().rows()
                : 0;
    }

    private static boolean isOver(long begin, Duration time, long now) {
        return now - begin > time.toNanos();
    }
}
