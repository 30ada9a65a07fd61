package millrace.processor.rendering.tasks;

import io.micrometer.core.instrument.Counter;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import millrace.contracts.commands.AccountCommand;
import millrace.processor.ledger.streams.HandedTask;
import millrace.processor.ledger.streams.LocalWorkers;
import millrace.runtime.service.ServiceThreads;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/**
 * Runs tasks of small reports that the ledger of this process hands over in memory, on its own threads. Accounts take
 * turns: each task waits behind those of other accounts that have fewer.
 *
 * <p>Starts of these tasks are not counted, and none runs beside a suspect. Where one of them ends the process, its
 * command is decided again, and then the task goes through Kafka.
 */
public final class MemoryWorkers implements LocalWorkers, AutoCloseable {
    private final Parts parts;
    private final Duration grace;
    private final SuspectIsolation isolation;
    private final ServiceThreads threads;
    private final MeasuredRunner measured;
    private final ThreadPoolExecutor pool;
    private final List<TaskExecution> running = new CopyOnWriteArrayList<>();
    private final AtomicLong number = new AtomicLong();
    private final Counter answeredTasks;
    private final Counter lateTasks;

    /**
     * What they work with.
     *
     * @param room whether the disks have room for the files of another task
     * @param broken called with an error after which the process must end
     */
    public record Parts(TaskRunner runner, LaneMetrics metrics, BooleanSupplier room, Consumer<Throwable> broken) {}

    public MemoryWorkers(RenderSettings settings, Parts parts, SuspectIsolation isolation, ServiceThreads threads) {
        this.parts = parts;
        this.grace = settings.timeLimit().plus(settings.stopGrace());
        this.isolation = isolation;
        this.threads = threads;
        this.measured = new MeasuredRunner(parts.runner(), threads);
        this.answeredTasks = counter("answered");
        this.lateTasks = counter("late");
        ThreadFactory factory = threads.platform().name("render-memory-", 0).factory();
        this.pool = new ThreadPoolExecutor(
                settings.smallWorkers(),
                settings.smallWorkers(),
                0,
                TimeUnit.SECONDS,
                new PriorityBlockingQueue<>(),
                factory);
    }

    private Counter counter(String outcome) {
        return Counter.builder("millrace.render.handed.tasks")
                .description("Small reports handed to threads in memory; late ones went through Kafka")
                .tag("outcome", outcome)
                .register(parts.metrics().registry());
    }

    /** A task that waits for a thread. */
    private record Turn(long ofAccount, long number, Runnable task) implements Runnable, Comparable<Turn> {
        private static final Comparator<Turn> ORDER =
                Comparator.comparingLong(Turn::ofAccount).thenComparingLong(Turn::number);

        @Override
        public int compareTo(Turn other) {
            return ORDER.compare(this, other);
        }

        @Override
        public void run() {
            task.run();
        }
    }

    @Override
    public @Nullable Run take(HandedTask handed, Consumer<AccountCommand> answered) {
        checkHanging();
        Record<String, byte[]> record = handed.record().record();
        TaskExecution execution = TaskExecution.inMemory(
                handed.task(), record.timestamp(), SliceSpan.traceparent(record.headers()), record.value().length);
        if (!parts.room().getAsBoolean() || !isolation.enter(execution)) {
            return null;
        }
        String account = handed.task().accountId();
        long ofAccount = running.stream()
                .filter(other -> other.task().accountId().equals(account))
                .count();
        running.add(execution);
        try {
            pool.execute(new Turn(ofAccount, number.incrementAndGet(), () -> run(execution, answered)));
        } catch (RejectedExecutionException closed) {
            ended(execution);
            return null;
        }
        return () -> withdraw(execution);
    }

    private void run(TaskExecution execution, Consumer<AccountCommand> answered) {
        try {
            if (execution.begin(threads.nanoTime())) {
                MeasuredRunner.Measured run = measured.run(execution);
                if (execution.decide()) {
                    parts.metrics().ended(run.answer(), run.nanos());
                    answered.accept(run.answer());
                } else {
                    parts.runner().discard(run.answer());
                }
            }
        } catch (RuntimeException | Error e) {
            parts.broken().accept(e);
        } finally {
            ended(execution);
        }
    }

    private void ended(TaskExecution execution) {
        var unused = execution.endRun();
        running.remove(execution);
        isolation.leave(execution);
    }

    /** Its thread is not interrupted: that would look like a disk that fails, and a run ends soon after it is cancelled. */
    private void withdraw(TaskExecution execution) {
        if (execution.decide()) {
            execution.stop(threads.nanoTime());
        }
    }

    /** A thread that deletes files may hang, so it is neither one of these nor the ledger's. */
    @Override
    public void discard(AccountCommand answer) {
        var unused =
                threads.virtual().name("clean-up").start(() -> parts.runner().discard(answer));
    }

    @Override
    public void committed(int answered, int late) {
        answeredTasks.increment(answered);
        lateTasks.increment(late);
    }

    /** A task that was withdrawn may run for as long as any other. */
    private void checkHanging() {
        long now = threads.nanoTime();
        for (TaskExecution execution : running) {
            if (execution.hangs(grace, now)) {
                parts.broken()
                        .accept(new IllegalStateException(
                                execution.task().slice() + " was withdrawn, and its thread does not end"));
            }
        }
    }

    /** Withdraws all tasks, so that they go through Kafka. */
    @Override
    public void close() {
        running.forEach(this::withdraw);
        pool.shutdown();
    }
}
