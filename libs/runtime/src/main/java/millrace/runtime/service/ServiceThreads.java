package millrace.runtime.service;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.locks.LockSupport;

/**
 * The threads and the clocks of a service. Code that takes both only from here also runs in a
 * simulation, where a seed decides which thread goes on, and where time passes only while all
 * threads wait.
 */
public interface ServiceThreads {
    /** The wall clock. */
    InstantSource clock();

    /**
     * The monotonic clock, in nanoseconds from an arbitrary origin, as {@link System#nanoTime()}.
     */
    long nanoTime();

    /** Makes daemon threads, for work that blocks often or long. */
    Thread.Builder platform();

    /** Makes virtual threads, for work that mostly waits. */
    Thread.Builder virtual();

    /**
     * Waits like {@link LockSupport#parkNanos(long)}: until unparked, interrupted, or so many
     * nanoseconds have passed.
     */
    void parkNanos(long nanos);

    /** Waits like {@link Thread#sleep(Duration)}. */
    default void sleep(Duration time) throws InterruptedException {
        long end = nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - nanoTime()) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            parkNanos(left);
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    /** The threads and clocks of this machine. */
    static ServiceThreads ofMachine() {
        return MachineThreads.INSTANCE;
    }
}
