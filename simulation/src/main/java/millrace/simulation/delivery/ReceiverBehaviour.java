package millrace.simulation.delivery;

import java.time.Duration;

/** The behaviour of a simulated receiver. */
public sealed interface ReceiverBehaviour {
    /** A behaviour that does not change. */
    sealed interface Steady extends ReceiverBehaviour {}

    /**
     * Answers every request.
     *
     * @param least time until the answer
     * @param most time until the answer, less than the notifier's deadline
     */
    record Answering(int status, Duration least, Duration most) implements Steady {}

    /** Accepts requests and never answers. */
    record Unresponsive() implements Steady {}

    /** Alternates between two behaviours, each for a period. */
    record Flapping(Duration period, Steady first, Steady second) implements ReceiverBehaviour {
        Steady at(long nanos) {
            return nanos / period.toNanos() % 2 == 0 ? first : second;
        }
    }

    static Steady healthy() {
        return new Answering(204, Duration.ofMillis(5), Duration.ofMillis(40));
    }

    static Steady slow() {
        return new Answering(200, Duration.ofMillis(1500), Duration.ofMillis(4500));
    }

    /** Answers 500. */
    static Steady refusing() {
        return new Answering(500, Duration.ofMillis(1), Duration.ofMillis(20));
    }

    /** Answers 410. */
    static Steady gone() {
        return new Answering(410, Duration.ofMillis(1), Duration.ofMillis(20));
    }
}
