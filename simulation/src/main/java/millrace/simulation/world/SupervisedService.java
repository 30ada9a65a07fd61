package millrace.simulation.world;

import java.time.Duration;

/** A service that faults can hit. Its supervisor starts it again when it has ended. */
interface SupervisedService {
    void start();

    /** Whether the service has its share of the work. */
    boolean ready();

    /** Kills the service, as {@code kill -9} does, and starts it again after this time. */
    void kill(Duration downFor);

    /** Stops the service, as SIGTERM does, and starts it again this time after its end. */
    void stop(Duration downFor);

    /** Pauses the service, as SIGSTOP does, until {@link #resume}. */
    void pause();

    void resume();
}
