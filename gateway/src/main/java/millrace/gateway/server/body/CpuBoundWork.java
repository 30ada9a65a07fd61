package millrace.gateway.server.body;

import io.micronaut.core.propagation.PropagatedContext;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import millrace.runtime.service.BackgroundPriority;

/**
 * Runs work that needs much CPU in a platform thread of its own. Requests run on virtual threads,
 * of which only as many progress at a time as there are cores: a few long bodies would delay all
 * others.
 */
final class CpuBoundWork {
    private static final ThreadFactory THREADS =
            BackgroundPriority.of(Thread.ofPlatform().name("long-body").daemon().factory());

    private CpuBoundWork() {}

    /** Blocks until the work has ended, and throws what it throws. */
    static <T> T run(Callable<T> work) throws IOException {
        var task = new FutureTask<>(PropagatedContext.wrapCurrent(work));
        THREADS.newThread(task).start();
        try {
            return task.get();
        } catch (InterruptedException e) {
            task.cancel(true);
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case IOException cause -> throw cause;
                case RuntimeException cause -> throw cause;
                case Error cause -> throw cause;
                case null, default -> throw new IllegalStateException(e);
            }
        }
    }
}
