package millrace.simulation.invariants;

import org.jspecify.annotations.Nullable;

/** Something happened that must never happen. */
public final class InvariantViolated extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public InvariantViolated(String message) {
        super(message);
    }

    /** Throws where it does not hold; the message is as of {@link String#format}. */
    @SuppressWarnings("AnnotateFormatMethod")
    public static void check(boolean holds, String message, @Nullable Object... arguments) {
        if (!holds) {
            throw new InvariantViolated(String.format(message, arguments));
        }
    }
}
