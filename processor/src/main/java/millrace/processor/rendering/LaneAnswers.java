package millrace.processor.rendering;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.contracts.AccountCommand;
import millrace.runtime.ServiceThreads;

/** The answers of one lane: which are on their way to the ledger, and which are acknowledged. From any thread. */
final class LaneAnswers {
    private final Answers answers;
    private final ServiceThreads threads;
    private final Queue<Execution> acknowledged = new ConcurrentLinkedQueue<>();
    private final AtomicInteger underWay = new AtomicInteger();

    LaneAnswers(Answers answers, ServiceThreads threads) {
        this.answers = answers;
        this.threads = threads;
    }

    /** @param then run once the answer is acknowledged, by a thread of the producer */
    void send(Execution execution, AccountCommand answer, Runnable then) {
        // The flag of an interrupt that came too late must not reach the producer.
        Thread.interrupted();
        underWay.incrementAndGet();
        answers.send(execution.task().accountId(), answer, () -> {
            acknowledged.add(execution);
            underWay.decrementAndGet();
            then.run();
        });
    }

    /** Says that a task goes on. */
    void beat(Execution execution) {
        var running = new AccountCommand.SliceRunning(execution.task().slice(), execution.rows());
        answers.send(execution.task().accountId(), running, () -> {});
    }

    /** Tasks whose answers have been acknowledged since the last call. */
    List<Execution> acknowledged() {
        List<Execution> drained = new ArrayList<>();
        for (Execution e = acknowledged.poll(); e != null; e = acknowledged.poll()) {
            drained.add(e);
        }
        return drained;
    }

    /** Whether answers are under way, or acknowledged and not asked for. */
    boolean pending() {
        return underWay.get() > 0 || !acknowledged.isEmpty();
    }

    /** Waits until no answer is under way, so long at most. */
    void await(Duration timeout) {
        long end = threads.nanoTime() + timeout.toNanos();
        while (underWay.get() > 0 && threads.nanoTime() < end) {
            threads.parkNanos(1_000_000);
        }
    }
}
