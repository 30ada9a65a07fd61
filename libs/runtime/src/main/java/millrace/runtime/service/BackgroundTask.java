package millrace.runtime.service;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * Work that starts at once on a thread of its own and whose result is needed later. Overlapping
 * what waits with what computes shortens a start.
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

    /** Waits until the work has ended, also where it fails. */
    public void awaitEnd() {
        try {
            var unused = await();
        } catch (RuntimeException e) {
            // await() throws it to those who need the result.
        }
    }

    /**
     * Waits for the result. Any number of threads may call it.
     *
     * @throws RuntimeException what the work threw; an IOException is wrapped in an {@link
     *     UncheckedIOException}
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
