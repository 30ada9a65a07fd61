package millrace.simulation.kafka.consumer;

import org.apache.kafka.common.errors.WakeupException;

/** Whether a consumer is to stop waiting. */
final class WakeupFlag {
    private boolean requested;

    void request() {
        requested = true;
    }

    boolean isRequested() {
        return requested;
    }

    /** Throws once for a request. */
    void throwIfRequested() {
        if (requested) {
            requested = false;
            throw new WakeupException();
        }
    }

    /** For conditions that are waited for: throws while the condition does not hold. */
    boolean throwsOr(boolean condition) {
        if (!condition) {
            throwIfRequested();
        }
        return condition;
    }
}
