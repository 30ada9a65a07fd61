package millrace.processor.rendering.tasks;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * Lets tasks run side by side, and a suspect, which may have killed its worker, only alone, so that no other task is
 * blamed. No method blocks; the caller of a refused task asks again.
 *
 * <p>A task stays inside until it {@linkplain #leave leaves}, also after its run: until its end is committed, a crash
 * counts as its own.
 */
final class SuspectIsolation {
    private final Set<Object> inside = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Set<Object> waiting = Collections.newSetFromMap(new IdentityHashMap<>());
    private boolean isolating;

    /** Lets a task in. Returns false while a suspect is inside, or waits for others to leave. */
    synchronized boolean enter(Object task) {
        if (isolating || !waiting.isEmpty()) {
            return false;
        }
        inside.add(task);
        return true;
    }

    /**
     * Lets a suspect in. Returns false while others are inside; then no other task is let in until the suspect is let
     * in or withdrawn.
     */
    synchronized boolean enterAlone(Object suspect) {
        if (!inside.isEmpty()) {
            waiting.add(suspect);
            return false;
        }
        waiting.remove(suspect);
        inside.add(suspect);
        isolating = true;
        return true;
    }

    /** Removes a waiting suspect that will not ask again. */
    synchronized void withdraw(Object suspect) {
        waiting.remove(suspect);
    }

    /** Removes a task, if it is inside. */
    synchronized void leave(Object task) {
        if (inside.remove(task) && inside.isEmpty()) {
            isolating = false;
        }
    }

    /** Whether a suspect is inside. */
    synchronized boolean isolating() {
        return isolating;
    }
}
