package millrace.processor.rendering.tasks;

import io.micrometer.core.instrument.Counter;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import millrace.contracts.commands.AccountCommand;
import millrace.processor.ledger.streams.LocalWorkers;
import millrace.processor.ledger.streams.LocalWorkers.HandedTask;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks of small reports that the ledger of this process hands over in memory, on its own threads. Accounts take
 * turns: each task waits behind those of other accounts that have fewer.
 *
 * <p>Starts of these tasks are not counted, and none runs beside a suspect. If one of them ends the process, its
 * command is decided again, and then the task goes through Kafka.
 */
final class MemoryWorkers implements LocalWorkers, AutoCloseable {
    private final TaskThreads.Tools tools;
    private final BooleanSupplier room;
    private final Duration grace;
    private final TaskThreads workers;
    private final LaneMetrics metrics;
    private final Counter answeredTasks;
    private final Counter lateTasks;

    /** @param room whether the disks have room for the files of another task */
    MemoryWorkers(RenderSettings settings, LaneMetrics metrics, TaskThreads.Tools tools, BooleanSupplier room) {
        this.tools = tools;
        this.room = room;
        this.metrics = metrics;
        // A task that was withdrawn may run for as long as any other.
        this.grace = settings.timeLimit().plus(settings.stopGrace());
        this.workers = new TaskThreads("memory", settings.smallWorkers(), false, metrics, tools);
        this.answeredTasks = counter("answered");
        this.lateTasks = counter("late");
    }

    private Counter counter(String outcome) {
        return Counter.builder("millrace.render.handed.tasks")
                .description("Small reports handed to threads in memory; late ones went through Kafka")
                .tag("outcome", outcome)
                .register(metrics.registry());
    }

    @Override
    public @Nullable Run take(HandedTask handed, Consumer<AccountCommand> answered) {
        workers.endIfHanging(grace);
        Record<String, byte[]> record = handed.record().record();
        QueuedTask queued = QueuedTask.inMemory(
                handed.task(), record.timestamp(), SliceSpan.traceparent(record.headers()), record.value().length);
        if (!room.getAsBoolean() || !tools.isolation().enter(queued)) {
            return null;
        }
        long ofAccount = workers.runs()
                .filter(other -> other.queued().accountId().equals(queued.accountId()))
                .count();
        var run = new TaskRun(queued, tools.threads().nanoTime());
        workers.settle(run); // it has no offset that is to be committed
        return workers.start(run, ofAccount, answered) ? () -> withdraw(run) : null;
    }

    /** Its thread is not interrupted: that would look like a disk that fails, and a run ends soon after it is cancelled. */
    private void withdraw(TaskRun run) {
        if (run.stop(tools.threads().nanoTime(), false)) {
            workers.settle(run);
        }
    }

    /** A thread that deletes files may hang, so it is neither one of these nor the ledger's. */
    @Override
    public void discard(AccountCommand answer) {
        var unused = tools.threads().virtual().name("clean-up").start(() -> tools.runner()
                .discard(answer));
    }

    @Override
    public void committed(int answered, int late) {
        answeredTasks.increment(answered);
        lateTasks.increment(late);
    }

    /** Withdraws all tasks, so that they go through Kafka. */
    @Override
    public void close() {
        workers.runs().forEach(this::withdraw);
        workers.close();
    }
}
