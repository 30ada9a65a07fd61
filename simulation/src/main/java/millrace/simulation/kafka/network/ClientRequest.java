package millrace.simulation.kafka.network;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request of a client, and the broker's answer once it has arrived. */
public final class ClientRequest<T> {
    private final List<Runnable> whenDone = new ArrayList<>();
    private boolean done;
    private boolean abandoned;
    private @Nullable T value;
    private @Nullable RuntimeException error;

    public boolean isDone() {
        return done;
    }

    public @Nullable RuntimeException error() {
        return error;
    }

    /** Returns the answer, or throws the broker's error. */
    public T get() {
        if (error != null) {
            throw error;
        }
        if (value == null) {
            throw new IllegalStateException("there is no answer yet");
        }
        return value;
    }

    /** Runs an action when the answer comes. */
    public ClientRequest<T> whenDone(Runnable action) {
        whenDone.add(action);
        return this;
    }

    /** Gives the request up. It is not repeated, and not sent if it has not been sent yet. */
    public void abandon() {
        abandoned = true;
    }

    boolean isAbandoned() {
        return abandoned;
    }

    void complete(@Nullable T answer, @Nullable RuntimeException failure) {
        if (!done && !abandoned) {
            done = true;
            value = answer;
            error = failure;
            whenDone.forEach(Runnable::run);
        }
    }
}
