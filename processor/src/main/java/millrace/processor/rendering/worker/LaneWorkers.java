package millrace.processor.rendering.worker;

import io.opentelemetry.api.trace.Span;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Predicate;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.RenderTask;
import millrace.contracts.reports.ErrorCode;
import millrace.runtime.service.ServiceThreads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs the tasks of one lane in threads of its own, answers them, and ends those that take too long. */
public final class LaneWorkers {
    private static final Logger LOG = LoggerFactory.getLogger(LaneWorkers.class);
    /** Tasks are handed over before a thread is free, so that none waits for the next poll. One that waits longer is behind long ones. */
    private static final Duration LONGEST_WAIT = Duration.ofMillis(100);
    /** A task that goes on after it was stopped shows in the readiness when this part of the grace is over. */
    private static final int SHOWN_AFTER_PART = 6;

    private final Crew crew;
    private final RenderSettings settings;
    private final TaskRunner runner;
    private final LaneAnswers answers;
    private final SuspectIsolation isolation;
    private final ServiceThreads threads;
    private final ExecutorService pool;
    /** In the order in which they were handed over. */
    private final List<TaskExecution> running = new CopyOnWriteArrayList<>();

    /**
     * @param threads tasks that run at a time
     * @param ahead tasks per thread that are handed over at a time, so that no thread waits for the next poll
     */
    public record Crew(String name, int threads, int ahead, LaneMetrics metrics) {}

    public LaneWorkers(
            Crew crew,
            RenderSettings settings,
            TaskRunner runner,
            AnswerProducer answers,
            SuspectIsolation isolation,
            ServiceThreads threads) {
        this.crew = crew;
        this.settings = settings;
        this.runner = runner;
        this.answers = new LaneAnswers(answers, threads);
        this.isolation = isolation;
        this.threads = threads;
        this.pool = Executors.newFixedThreadPool(
                crew.threads(),
                threads.platform().name("render-" + crew.name() + "-", 0).factory());
        crew.metrics().running(running::size);
    }

    public LaneMetrics metrics() {
        return crew.metrics();
    }

    public String name() {
        return crew.name();
    }

    public LaneAnswers answers() {
        return answers;
    }

    public SuspectIsolation isolation() {
        return isolation;
    }

    /** @param starting tasks that are about to be handed over */
    public boolean hasRoom(int starting) {
        return running.size() + starting < crew.threads() * crew.ahead();
    }

    public boolean isBusy() {
        return !running.isEmpty() || answers.pending();
    }

    /** @param broken told of an error after which this process is of no use */
    public void run(TaskExecution execution, Consumer<Throwable> broken) {
        execution.waits(threads.clock().instant());
        running.add(execution);
        execution.on(pool.submit(() -> {
            try {
                if (execution.begin(threads.clock().instant())) {
                    answer(execution, measured(execution));
                }
            } catch (RuntimeException | Error e) {
                broken.accept(e);
                throw e;
            } finally {
                running.remove(execution);
                if (execution.endRun()) {
                    isolation.leave(execution);
                }
            }
        }));
    }

    private AccountCommand measured(TaskExecution execution) {
        long begin = threads.nanoTime();
        long waited = threads.clock().millis() - execution.handedOutAt();
        Span span = SliceSpan.begin(execution);
        AccountCommand answer = runner.run(execution.task(), execution::runs);
        SliceSpan.end(span, answer);
        long took = threads.nanoTime() - begin;
        crew.metrics().ended(answer, took);
        LOG.debug("{}: waited {} ms, took {} ms", execution.task().slice(), waited, took / 1_000_000);
        return answer;
    }

    /** The end of a task is durable, or it is dropped: it gives up its place as soon as its thread is done with it. */
    public void settled(TaskExecution execution) {
        if (execution.settle()) {
            isolation.leave(execution);
        }
    }

    /** Answers without running: what has ended its worker so often is not tried again. */
    public void giveUp(TaskExecution execution, String message) {
        answer(
                execution,
                new AccountCommand.SliceFailed(execution.task().slice(), ErrorCode.RENDER_FAILED, message, true));
    }

    /**
     * To be called every now and then.
     *
     * @param broken told of a thread that hangs, after which this process is of no use
     */
    public void watch(Consumer<Throwable> broken) {
        Instant now = threads.clock().instant();
        for (TaskExecution execution : running) {
            if (execution.lastsLongerThan(settings.timeLimit(), now)) {
                answer(execution, tooLong(execution));
                execution.stop(now);
            } else if (execution.isDueForHeartbeat(settings.heartbeat(), now)) {
                answers.heartbeat(execution);
            } else if (execution.hangs(settings.stopGrace(), now)) {
                broken.accept(new IllegalStateException(
                        execution.task().slice() + " was stopped, and its thread does not end"));
            }
        }
    }

    /** Whether a thread goes on with a task that was stopped. */
    public boolean hanging() {
        Instant now = threads.clock().instant();
        Duration grace = settings.stopGrace().dividedBy(SHOWN_AFTER_PART);
        return running.stream().anyMatch(execution -> execution.hangs(grace, now));
    }

    /** Drops those that run and are chosen; they are not answered. */
    public List<TaskExecution> drop(Predicate<TaskExecution> chosen) {
        List<TaskExecution> dropped =
                running.stream().filter(chosen).filter(TaskExecution::decide).toList();
        Instant now = threads.clock().instant();
        dropped.forEach(execution -> execution.stop(now));
        dropped.forEach(this::settled);
        return dropped;
    }

    /** Takes back what waits behind long tasks. It has not run, so no crash may count it as started. */
    public List<TaskExecution> takeBack() {
        Instant limit = threads.clock().instant().minus(LONGEST_WAIT);
        List<TaskExecution> back =
                running.stream().filter(execution -> execution.takeBack(limit)).toList();
        back.forEach(this::settled);
        return back;
    }

    public void close() {
        pool.shutdownNow();
    }

    private void answer(TaskExecution execution, AccountCommand answer) {
        if (execution.decide()) {
            answers.send(execution, answer, () -> {
                if (answer instanceof AccountCommand.Assembled) {
                    cleanUp(execution.task());
                }
            });
        } else {
            runner.discard(answer);
        }
    }

    /**
     * The answer is in the log, before any that could come of the lack of the parts, so nobody needs them. On no render thread: one
     * that hangs in a store has nothing to render that could be stopped. What a closing process leaves is the sweeper's.
     */
    private void cleanUp(RenderTask task) {
        if (task instanceof RenderTask.Assemble assembly && !pool.isShutdown()) {
            var unused = threads.virtual().name("clean-up").start(() -> runner.discardParts(assembly));
        }
    }

    private AccountCommand tooLong(TaskExecution execution) {
        String message = "Rendering took longer than " + settings.timeLimit().toSeconds() + " s.";
        return new AccountCommand.SliceFailed(execution.task().slice(), ErrorCode.RENDER_FAILED, message);
    }
}
