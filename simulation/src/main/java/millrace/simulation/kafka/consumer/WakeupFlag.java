package millrace.simulation.kafka.consumer;

import org.apache.kafka.common.errors.WakeupException;

/** A request to stop waiting, made by {@code Consumer.wakeup}. */
final class WakeupFlag {
    private boolean requested;

    void request() {
        requested = true;
    }

    boolean isRequested() {
        return requested;
    }

    /** Throws once for each request. */
    void throwIfRequested() {
        if (requested) {
            requested = false;
            throw new WakeupException();
        }
    }

    /** Returns true if the condition holds; else throws where a wakeup was requested, and returns false where not. */
    boolean throwsOr(boolean condition) {
        if (!condition) {
            throwIfRequested();
        }
        return condition;
    }
}
