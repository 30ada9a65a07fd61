package millrace.simulation.invariants;

/** Something happened that must never happen. */
public final class InvariantViolated extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public InvariantViolated(String message) {
        super(message);
    }

    public static void check(boolean holds, String message, Object... arguments) {
        if (!holds) {
            throw new InvariantViolated(String.format(message, arguments));
        }
    }
}
