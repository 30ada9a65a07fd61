package millrace.runtime.management;

import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;

/** The health of a service. May be called by any thread at any time; answers come from memory. */
public interface Health {
    /** False where the service has failed for good and must be restarted. */
    boolean alive();

    /**
     * The results of the readiness checks, by name. The service is ready where all are true. The
     * names never change.
     */
    SequencedMap<String, Boolean> checks();

    /** The service will stop soon: from now on it is not ready. */
    default void leave() {}

    /** The newest form of the ledger's state whose values the service can read; null if it reads none. */
    default @Nullable Integer stateForm() {
        return null;
    }

    /** Whether the service can be sent work now. */
    default boolean ready() {
        return alive() && !checks().containsValue(false);
    }
}
