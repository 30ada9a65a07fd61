package millrace.simulation.kernel;

/** A service that runs in a simulated process, which faults can hit. */
public interface Service {
    /** Starts it where it does not run. */
    void start();

    boolean alive();

    /** Whether it has its share of the work. */
    boolean ready();

    /** As kill -9. */
    void kill();

    /** As SIGSTOP, until {@link #resume}. */
    void pause();

    void resume();

    /** As SIGTERM. */
    void stop();
}
