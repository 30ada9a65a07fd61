package millrace.notifier.bootstrap;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import millrace.runtime.service.ServiceThreads;

/**
 * A gate that opens once and releases the threads that wait for it. It waits with {@link ServiceThreads}, so that a
 * simulation controls the time.
 */
final class Latch {
    private final ServiceThreads threads;
    private final Queue<Thread> waiting = new ConcurrentLinkedQueue<>();
    private volatile boolean open;

    Latch(ServiceThreads threads) {
        this.threads = threads;
    }

    void open() {
        open = true;
        waiting.forEach(LockSupport::unpark);
    }

    boolean isOpen() {
        return open;
    }

    /** Waits until the latch is open; returns false after the timeout. */
    boolean await(Duration timeout) throws InterruptedException {
        long end = threads.nanoTime() + timeout.toNanos();
        waiting.add(Thread.currentThread());
        try {
            for (long left = timeout.toNanos(); !open && left > 0; left = end - threads.nanoTime()) {
                threads.parkNanos(left);
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
            return open;
        } finally {
            waiting.remove(Thread.currentThread());
        }
    }
}
