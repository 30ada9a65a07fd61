package millrace.simulation.world;

import java.time.Duration;

/** A service that faults can hit, and that a supervisor starts again when it has ended. */
interface SupervisedService {
    void start();

    /** Whether it has its share of the work. */
    boolean ready();

    /** As kill -9; it is started again after this time. */
    void kill(Duration downFor);

    /** As SIGTERM; it is started again this time after its end. */
    void stop(Duration downFor);

    /** As SIGSTOP, until {@link #resume}. */
    void pause();

    void resume();
}
