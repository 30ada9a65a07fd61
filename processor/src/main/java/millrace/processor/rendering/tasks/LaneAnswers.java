package millrace.processor.rendering.tasks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.contracts.commands.AccountCommand;
import millrace.runtime.service.ServiceThreads;

/** Sends the answers of one lane and tracks which of them are acknowledged. Thread-safe. */
final class LaneAnswers {
    private final AnswerProducer answers;
    private final ServiceThreads threads;
    private final Queue<TaskExecution> acknowledged = new ConcurrentLinkedQueue<>();
    private final AtomicInteger underWay = new AtomicInteger();

    LaneAnswers(AnswerProducer answers, ServiceThreads threads) {
        this.answers = answers;
        this.threads = threads;
    }

    void send(TaskExecution execution, AccountCommand answer) {
        // Clears an interrupt that came too late, since it would make the producer fail.
        Thread.interrupted();
        underWay.incrementAndGet();
        answers.send(execution.task().accountId(), answer, () -> {
            acknowledged.add(execution);
            underWay.decrementAndGet();
        });
    }

    /** Tells the ledger that a task is running. */
    void heartbeat(TaskExecution execution) {
        var running = new AccountCommand.SliceRunning(execution.task().slice(), execution.rows());
        answers.send(execution.task().accountId(), running, () -> {});
    }

    /** Tasks whose answers have been acknowledged since the last call. */
    public List<TaskExecution> acknowledged() {
        List<TaskExecution> drained = new ArrayList<>();
        for (TaskExecution e = acknowledged.poll(); e != null; e = acknowledged.poll()) {
            drained.add(e);
        }
        return drained;
    }

    /** Whether answers are being sent, or acknowledged answers have not been fetched. */
    boolean pending() {
        return underWay.get() > 0 || !acknowledged.isEmpty();
    }

    /** Waits until all answers are acknowledged, at most for this time. */
    public void await(Duration timeout) {
        long end = threads.nanoTime() + timeout.toNanos();
        while (underWay.get() > 0 && threads.nanoTime() < end) {
            threads.parkNanos(1_000_000);
        }
    }
}
