package millrace.client.cli.session;

import java.time.Duration;

/** Time as commands need it. Tests have one that passes by itself. */
public interface Waiting {
    /** As {@link System#nanoTime}. */
    long nanoTime();

    void pause(Duration duration) throws InterruptedException;

    /** That of this machine. */
    static Waiting system() {
        return new Waiting() {
            @Override
            public long nanoTime() {
                return System.nanoTime();
            }

            @Override
            public void pause(Duration duration) throws InterruptedException {
                Thread.sleep(duration);
            }
        };
    }
}
