package millrace.processor.rendering.tasks;

import io.opentelemetry.api.trace.Span;
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
import java.util.function.Consumer;
import java.util.stream.Stream;
import millrace.contracts.commands.AccountCommand;
import millrace.runtime.service.BackgroundPriority;
import millrace.runtime.service.ServiceThreads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A fixed number of threads that run tasks, measure and trace them, and answer each at most once. */
final class TaskThreads implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TaskThreads.class);

    private final Tools tools;
    private final LaneMetrics metrics;
    private final ThreadPoolExecutor pool;
    private final AtomicLong number = new AtomicLong();
    /** In the order in which they were handed over; until their thread has ended them. */
    private final List<TaskRun> runs = new CopyOnWriteArrayList<>();

    /**
     * What all task threads of a process share.
     *
     * @param broken called with an error after which the process must end
     */
    record Tools(TaskRunner runner, SuspectIsolation isolation, ServiceThreads threads, Consumer<Throwable> broken) {}

    /** @param bulk whether the threads give way to those of other work */
    TaskThreads(String name, int size, boolean bulk, LaneMetrics metrics, Tools tools) {
        this.tools = tools;
        this.metrics = metrics;
        ThreadFactory factory =
                tools.threads().platform().name("render-" + name + "-", 0).factory();
        this.pool = new ThreadPoolExecutor(
                size,
                size,
                0,
                TimeUnit.SECONDS,
                new PriorityBlockingQueue<>(),
                bulk ? BackgroundPriority.of(factory) : factory);
    }

    /** A run that waits for a thread: behind those of lower rank, and those that came before. */
    private record Turn(long rank, long number, Runnable task) implements Runnable, Comparable<Turn> {
        private static final Comparator<Turn> ORDER =
                Comparator.comparingLong(Turn::rank).thenComparingLong(Turn::number);

        @Override
        public int compareTo(Turn other) {
            return ORDER.compare(this, other);
        }

        @Override
        public void run() {
            task.run();
        }
    }

    /**
     * Runs a task that has entered the isolation.
     *
     * @param answered receives the answer on the thread that ran the task, unless the run is stopped
     * @return false if the threads are closed
     */
    boolean start(TaskRun run, long rank, Consumer<AccountCommand> answered) {
        runs.add(run);
        try {
            pool.execute(new Turn(rank, number.incrementAndGet(), () -> run(run, answered)));
            return true;
        } catch (RejectedExecutionException closed) {
            runs.remove(run);
            tools.isolation().leave(run.queued());
            return false;
        }
    }

    private void run(TaskRun run, Consumer<AccountCommand> answered) {
        try {
            long begin = tools.threads().nanoTime();
            if (!run.begin(begin)) {
                return;
            }
            QueuedTask queued = run.queued();
            long waited = tools.threads().clock().millis() - queued.handedOutAt();
            Span span = SliceSpan.begin(queued);
            AccountCommand answer = tools.runner().run(queued.task(), run::rendering);
            SliceSpan.end(span, answer);
            long took = tools.threads().nanoTime() - begin;
            LOG.debug(
                    "slice ended slice={} waitMillis={} runMillis={}",
                    queued.task().slice(),
                    waited,
                    TimeUnit.NANOSECONDS.toMillis(took));
            if (run.answer()) {
                metrics.ended(answer, took);
                answered.accept(answer);
            } else {
                tools.runner().discard(answer);
            }
        } catch (RuntimeException | Error e) {
            tools.broken().accept(e);
        } finally {
            runs.remove(run);
            if (run.end()) {
                tools.isolation().leave(run.queued());
            }
        }
    }

    /**
     * To be called once the end of a task is committed, or the task is dropped. It leaves the isolation as soon as no
     * thread runs it.
     */
    void settle(TaskRun run) {
        if (run.settle()) {
            tools.isolation().leave(run.queued());
        }
    }

    /** The runs that wait for a thread or have one. */
    Stream<TaskRun> runs() {
        return runs.stream();
    }

    int size() {
        return runs.size();
    }

    /** Ends the process if a thread still runs a task so long after the task was stopped. */
    void endIfHanging(Duration grace) {
        long now = tools.threads().nanoTime();
        runs().filter(run -> run.hangs(grace, now)).forEach(run -> tools.broken()
                .accept(new IllegalStateException(
                        run.queued().task().slice() + " was stopped, and its thread does not end")));
    }

    /** Takes no more tasks. Those that run are not stopped. */
    @Override
    public void close() {
        pool.shutdown();
    }
}
