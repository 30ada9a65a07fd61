package millrace.simulation.kernel;

/** A simulated thread ended with an exception, which is the cause. */
final class SimulatedThreadFailure extends RuntimeException {
    SimulatedThreadFailure(Throwable cause) {
        super(cause);
    }
}
