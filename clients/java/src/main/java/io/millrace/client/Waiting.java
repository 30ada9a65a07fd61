package io.millrace.client;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** How a client waits. One of your own can log what is repeated, or let tests go on without a pause. */
public interface Waiting {
    /** As {@link System#nanoTime}. */
    default long nanoTime() {
        return System.nanoTime();
    }

    default void pause(Duration duration) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(duration.toNanos());
    }

    /**
     * Called before the pause after which a failed request is sent again.
     *
     * @param times how often it has failed since something last went well, from 1
     */
    default void retrying(MillraceException failure, int times) {}

    /** Called with the number of bytes of each read of an answer. */
    default void received(int bytes) {}
}
