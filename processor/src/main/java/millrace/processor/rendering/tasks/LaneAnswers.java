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
    private final Queue<TaskRun> acknowledged = new ConcurrentLinkedQueue<>();
    private final AtomicInteger underWay = new AtomicInteger();

    LaneAnswers(AnswerProducer answers, ServiceThreads threads) {
        this.answers = answers;
        this.threads = threads;
    }

    void send(TaskRun run, AccountCommand answer) {
        // Clears an interrupt that came too late, since it would make the producer fail.
        Thread.interrupted();
        underWay.incrementAndGet();
        answers.send(run.queued().accountId(), answer, () -> {
            acknowledged.add(run);
            underWay.decrementAndGet();
        });
    }

    /** Tells the ledger that a task is running. */
    void heartbeat(TaskRun run) {
        var running = new AccountCommand.SliceRunning(run.queued().task().slice(), run.rows());
        answers.send(run.queued().accountId(), running, () -> {});
    }

    /** Tasks whose answers have been acknowledged since the last call. */
    List<TaskRun> acknowledged() {
        List<TaskRun> drained = new ArrayList<>();
        for (TaskRun e = acknowledged.poll(); e != null; e = acknowledged.poll()) {
            drained.add(e);
        }
        return drained;
    }

    /** Whether answers are being sent, or acknowledged answers have not been fetched. */
    boolean pending() {
        return underWay.get() > 0 || !acknowledged.isEmpty();
    }

    /** Waits until all answers are acknowledged, at most for this time. */
    void await(Duration timeout) {
        long end = threads.nanoTime() + timeout.toNanos();
        while (underWay.get() > 0 && threads.nanoTime() < end) {
            threads.parkNanos(1_000_000);
        }
    }
}
