package millrace.simulation.kafka.network;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request of a client and, once it is there, the broker's answer. */
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

    /** The answer; throws what the broker has thrown. */
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

    /** Nobody waits for the answer any more: it is not repeated, and not sent where it could not be sent so far. */
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
