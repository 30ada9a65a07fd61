package millrace.runtime.service;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Work that begins at once, on a thread of its own beside whoever needs its result later: a start takes less time where what
 * waits and what computes overlap.
 */
public final class BackgroundTask<T> {
    private final FutureTask<T> work;

    private BackgroundTask(FutureTask<T> work) {
        this.work = work;
    }

    /** @param name of the thread */
    public static <T> BackgroundTask<T> start(String name, Callable<T> work) {
        var task = new FutureTask<>(work);
        Thread.ofPlatform().name(name).daemon().start(task);
        return new BackgroundTask<>(task);
    }

    /** Waits until it has ended, well or not. */
    public void awaitEnd() {
        try {
            var unused = await();
        } catch (RuntimeException e) {
            // Whoever asks for the result gets it.
        }
    }

    /**
     * The result, once it is there; any number of threads may ask.
     *
     * @throws RuntimeException what the work threw; an IOException comes as an {@link UncheckedIOException}
     */
    public T await() {
        try {
            return work.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CancellationException("interrupted");
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case RuntimeException unchecked -> throw unchecked;
                case Error error -> throw error;
                case IOException io -> throw new UncheckedIOException(io);
                case null, default -> throw new IllegalStateException(e.getCause());
            }
        }
    }
}
