package millrace.runtime.management;

import java.util.SequencedMap;

/** How a service is, asked at any time by any thread; answers come from memory. */
public interface Health {
    /** Whether it has not failed for good. */
    boolean alive();

    /** What it needs to be of use, by name; it is ready where all are true. The names are always the same. */
    SequencedMap<String, Boolean> checks();

    /** It will stop soon: it says so wherever it is asked. */
    default void leave() {}

    /** Whether it is of use now. */
    default boolean ready() {
        return alive() && !checks().containsValue(false);
    }
}
