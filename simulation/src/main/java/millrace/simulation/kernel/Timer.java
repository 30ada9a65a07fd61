package millrace.simulation.kernel;

/** A future event of a simulation. */
public final class Timer implements Comparable<Timer> {
    private final long at;
    private final long number;
    private final Runnable event;
    private final Timers timers;
    private boolean over;

    Timer(Timers timers, long at, long number, Runnable event) {
        this.timers = timers;
        this.at = at;
        this.number = number;
        this.event = event;
    }

    /** Cancels the event; has no effect after it has fired. */
    public void cancel() {
        if (!over) {
            over = true;
            timers.cancelled();
        }
    }

    boolean isOver() {
        return over;
    }

    long at() {
        return at;
    }

    void fire() {
        if (!over) {
            over = true;
            event.run();
        }
    }

    /** Timers of the same time fire in the order in which they were created. */
    @Override
    public int compareTo(Timer other) {
        int byTime = Long.compare(at, other.at);
        return byTime != 0 ? byTime : Long.compare(number, other.number);
    }

    @Override
    public boolean equals(Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(number);
    }
}
