package millrace.runtime.cli;

import org.jspecify.annotations.Nullable;

/** A point in time as people type it. */
public final class TypedTime {
    private TypedTime() {}

    /** A day is its begin in UTC; anything else is as it is, and the service says what is wrong with it. */
    public static @Nullable String instant(@Nullable String typed) {
        return typed != null && typed.matches("[0-9]{4}-[0-9]{2}-[0-9]{2}") ? typed + "T00:00:00Z" : typed;
    }
}
