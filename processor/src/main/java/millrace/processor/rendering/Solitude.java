package millrace.processor.rendering;

import java.util.HashSet;
import java.util.Set;

/**
 * Lets tasks run side by side, and a suspect (one that may have killed its worker) only alone, so that no other is blamed for
 * what it does. Nobody waits inside: who is turned away asks again.
 */
final class Solitude {
    private final Set<Object> waiting = new HashSet<>();
    private int running;
    private boolean alone;

    /** Asks to run beside others; refused while a suspect runs or waits for the others to end. */
    synchronized boolean enter() {
        if (alone || !waiting.isEmpty()) {
            return false;
        }
        running++;
        return true;
    }

    /** Asks to run alone; once refused, others are kept out until this one has been let in or withdrawn. */
    synchronized boolean enterAlone(Object suspect) {
        if (alone || running > 0) {
            waiting.add(suspect);
            return false;
        }
        waiting.remove(suspect);
        alone = true;
        running = 1;
        return true;
    }

    /** The suspect will not ask again. */
    synchronized void withdraw(Object suspect) {
        waiting.remove(suspect);
    }

    /** One that had been let in has ended. */
    synchronized void leave() {
        running--;
        alone = false;
    }
}
