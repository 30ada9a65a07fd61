package millrace.simulation.invariants;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** An invariant of the simulation does not hold. */
public final class InvariantViolated extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public InvariantViolated(String message) {
        super(message);
    }

    /** Throws where the condition is false, with a message by {@link String#format}. */
    @SuppressWarnings("AnnotateFormatMethod")
    public static void check(boolean holds, String message, @Nullable Object... arguments) {
        if (!holds) {
            throw new InvariantViolated(String.format(Locale.ROOT, message, arguments));
        }
    }
}
