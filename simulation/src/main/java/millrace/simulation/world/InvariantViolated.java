package millrace.simulation.world;

/** Something happened that must never happen. */
final class InvariantViolated extends RuntimeException {
    private static final long serialVersionUID = 1L;

    InvariantViolated(String message) {
        super(message);
    }

    static void check(boolean holds, String message, Object... arguments) {
        if (!holds) {
            throw new InvariantViolated(String.format(message, arguments));
        }
    }
}
