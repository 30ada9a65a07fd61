package millrace.processor.rendering.worker;

import java.util.HashSet;
import java.util.Set;

/**
 * Lets tasks run side by side, and a suspect (one that may have ended its worker) only alone, so that no other task is blamed for
 * what it does. Nobody waits in here: a task that is refused asks again.
 *
 * <p>A task stays inside until it has {@linkplain #leave left}, also after its run: while its end is not durable, a crash counts as
 * its own.
 */
public final class SuspectIsolation {
    private final Set<Object> inside = new HashSet<>();
    private final Set<Object> waiting = new HashSet<>();
    private boolean isolating;

    /** Asks to run beside others; refused while a suspect is inside, or waits for the others to leave. */
    public synchronized boolean enter(Object task) {
        if (isolating || !waiting.isEmpty()) {
            return false;
        }
        inside.add(task);
        return true;
    }

    /** Asks to run alone; once refused, others are kept out until this one has been let in or withdrawn. */
    public synchronized boolean enterAlone(Object suspect) {
        if (!inside.isEmpty()) {
            waiting.add(suspect);
            return false;
        }
        waiting.remove(suspect);
        inside.add(suspect);
        isolating = true;
        return true;
    }

    /** The suspect will not ask again. */
    public synchronized void withdraw(Object suspect) {
        waiting.remove(suspect);
    }

    /** Gives up the task's place, if it has one. */
    public synchronized void leave(Object task) {
        if (inside.remove(task) && inside.isEmpty()) {
            isolating = false;
        }
    }

    /** Whether a suspect is inside. */
    public synchronized boolean isolating() {
        return isolating;
    }
}
