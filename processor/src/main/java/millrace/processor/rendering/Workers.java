package millrace.processor.rendering;

import io.opentelemetry.api.trace.Span;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import millrace.contracts.AccountCommand;
import millrace.contracts.ErrorCode;
import millrace.contracts.RenderTask;
import millrace.contracts.SliceRef;
import millrace.runtime.ServiceThreads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The threads that run tasks, and who watches over them: says that they are alive, ends those that take too long. */
final class Workers {
    private static final Logger LOG = LoggerFactory.getLogger(Workers.class);

    private final Crew crew;
    private final RenderSettings settings;
    private final TaskRunner runner;
    private final Answers answers;
    private final Solitude solitude;
    private final ServiceThreads threads;
    private final ExecutorService pool;
    /** In the order in which they were handed over. */
    private final List<Execution> running = new CopyOnWriteArrayList<>();

    private final Queue<Execution> answered = new ConcurrentLinkedQueue<>();
    private final AtomicInteger unacknowledged = new AtomicInteger();

    /**
     * @param threads tasks that run at a time
     * @param ahead tasks per thread that are handed over at a time, so that no thread waits for the next poll
     */
    record Crew(String name, int threads, int ahead, LaneFigures figures) {}

    Workers(
            Crew crew,
            RenderSettings settings,
            TaskRunner runner,
            Answers answers,
            Solitude solitude,
            ServiceThreads threads) {
        this.crew = crew;
        this.settings = settings;
        this.runner = runner;
        this.answers = answers;
        this.solitude = solitude;
        this.threads = threads;
        this.pool = Executors.newFixedThreadPool(
                crew.threads(),
                threads.platform().name("render-" + crew.name() + "-", 0).factory());
        crew.figures().running(running::size);
    }

    LaneFigures figures() {
        return crew.figures();
    }

    String name() {
        return crew.name();
    }

    /** @param starting tasks that are about to be handed over */
    boolean hasRoom(int starting) {
        return running.size() + starting < crew.threads() * crew.ahead();
    }

    boolean isBusy() {
        return !running.isEmpty() || !answered.isEmpty() || unacknowledged.get() > 0;
    }

    /** May this task run now? A suspect runs alone. If so, {@link #run} must follow. */
    boolean admits(Object task, boolean suspect) {
        return suspect ? solitude.enterAlone(task) : solitude.enter();
    }

    void withdraw(Object task) {
        solitude.withdraw(task);
    }

    /** Takes the place back that {@link #admits} gave. */
    void leave() {
        solitude.leave();
    }

    /** @param broken told of an error after which this process is of no use */
    void run(Execution execution, Consumer<Throwable> broken) {
        running.add(execution);
        execution.on(pool.submit(() -> {
            try {
                if (execution.begin(threads.clock().instant())) {
                    long begin = threads.nanoTime();
                    long waited = threads.clock().millis() - execution.handedOutAt();
                    Span span = SliceSpan.begin(execution);
                    AccountCommand answer = runner.run(execution.task(), execution::runs);
                    SliceSpan.end(span, answer);
                    long took = threads.nanoTime() - begin;
                    crew.figures().ended(answer, took);
                    LOG.debug("{}: waited {} ms, took {} ms", execution.task().slice(), waited, took / 1_000_000);
                    answer(execution, answer);
                }
            } catch (Error e) {
                broken.accept(e);
                throw e;
            } finally {
                solitude.leave();
                running.remove(execution);
            }
        }));
    }

    /** Answers without running: what has ended its worker so often is not tried again. */
    void giveUp(Execution execution, String message) {
        answer(
                execution,
                new AccountCommand.SliceFailed(execution.task().slice(), ErrorCode.RENDER_FAILED, message, true));
    }

    /** Executions whose answer has been acknowledged since the last call. */
    List<Execution> answered() {
        List<Execution> drained = new ArrayList<>();
        for (Execution e = answered.poll(); e != null; e = answered.poll()) {
            drained.add(e);
        }
        return drained;
    }

    /** Waits until no answer is under way, so long at most. */
    void awaitAnswered(Duration patience) {
        long end = threads.nanoTime() + patience.toNanos();
        while (unacknowledged.get() > 0 && threads.nanoTime() < end) {
            threads.parkNanos(1_000_000);
        }
    }

    /** To be called every now and then. */
    void watch() {
        Instant now = threads.clock().instant();
        for (Execution execution : running) {
            SliceRef slice = execution.task().slice();
            if (execution.lastsLongerThan(settings.timeLimit(), now)) {
                answer(
                        execution,
                        failed(
                                execution,
                                "Rendering took longer than "
                                        + settings.timeLimit().toSeconds() + " s."));
                execution.stop();
            } else if (execution.isDueForBeat(settings.heartbeat(), now)) {
                answers.send(
                        execution.task().accountId(),
                        new AccountCommand.SliceRunning(slice, execution.rows()),
                        () -> {});
            }
        }
    }

    /** Drops those that run and are chosen; they are not answered. */
    List<Execution> drop(Predicate<Execution> chosen) {
        List<Execution> dropped =
                running.stream().filter(chosen).filter(Execution::decide).toList();
        dropped.forEach(Execution::stop);
        return dropped;
    }

    void close() {
        pool.shutdownNow();
    }

    private void answer(Execution execution, AccountCommand answer) {
        if (execution.decide()) {
            // The flag of an interrupt that came too late must not reach the producer.
            Thread.interrupted();
            unacknowledged.incrementAndGet();
            answers.send(execution.task().accountId(), answer, () -> {
                answered.add(execution);
                unacknowledged.decrementAndGet();
                if (answer instanceof AccountCommand.Assembled) {
                    cleanUp(execution.task());
                }
            });
        } else {
            runner.discard(answer);
        }
    }

    /**
     * The answer is in the log, before any that could come of the lack of the parts, so nobody needs them. What a closing
     * process leaves is the sweeper's.
     */
    private void cleanUp(RenderTask task) {
        if (task instanceof RenderTask.Assemble assembly && !pool.isShutdown()) {
            try {
                pool.execute(() -> runner.discardParts(assembly));
            } catch (RejectedExecutionException e) {
                LOG.debug("the parts of {} are left to the sweeper", task.slice());
            }
        }
    }

    private static AccountCommand failed(Execution execution, String message) {
        return new AccountCommand.SliceFailed(execution.task().slice(), ErrorCode.RENDER_FAILED, message);
    }
}
