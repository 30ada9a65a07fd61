package millrace.simulation.kafka.consumer;

import java.util.ConcurrentModificationException;
import java.util.function.Supplier;
import millrace.simulation.kernel.SimulatedProcess;
import org.jspecify.annotations.Nullable;

/** Rejects concurrent calls of a consumer. The calling thread may call again from a listener. */
final class SingleThreadGuard {
    private final SimulatedProcess process;
    private @Nullable Thread user;
    private int entered;
    private boolean closed;

    SingleThreadGuard(SimulatedProcess process) {
        this.process = process;
    }

    boolean isClosed() {
        return closed;
    }

    /** Rejects all calls from now on. */
    void close() {
        closed = true;
    }

    void run(Runnable call) {
        enter();
        try {
            call.run();
        } finally {
            exit();
        }
    }

    <T> T get(Supplier<T> call) {
        enter();
        try {
            return call.get();
        } finally {
            exit();
        }
    }

    private void enter() {
        process.mayYield();
        if (closed) {
            throw new IllegalStateException("This consumer has already been closed.");
        }
        if (user != null && user != Thread.currentThread()) {
            throw new ConcurrentModificationException("KafkaConsumer is not safe for multi-threaded access.");
        }
        user = Thread.currentThread();
        entered++;
    }

    private void exit() {
        entered--;
        user = entered == 0 ? null : user;
    }
}
