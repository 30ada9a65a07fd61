package millrace.processor.rendering.tasks;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.function.Predicate;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.reports.ErrorCode;
import millrace.runtime.service.BackgroundPriority;
import millrace.runtime.service.ServiceThreads;

/** Runs the tasks of one lane on its own threads, answers them, and stops those that take too long. */
public final class LaneWorkers {
    /**
     * Tasks are handed over before a thread is free, so that threads do not wait for the next poll. A task that waits
     * longer than this is behind long tasks.
     */
    private static final Duration LONGEST_WAIT = Duration.ofMillis(100);
    /** A stopped task that still runs makes the process not ready after this part of the grace. */
    private static final int SHOWN_AFTER_PART = 6;

    private final Crew crew;
    private final RenderSettings settings;
    private final TaskRunner runner;
    private final MeasuredRunner measured;
    private final LaneAnswers answers;
    private final SuspectIsolation isolation;
    private final ServiceThreads threads;
    private final ExecutorService pool;
    /** In the order in which tasks were handed over. */
    private final List<TaskExecution> running = new CopyOnWriteArrayList<>();

    /**
     * The size of a lane.
     *
     * @param threads number of tasks that run at the same time
     * @param ahead number of tasks per thread that are handed over, so that threads do not wait for the next poll
     * @param bulk whether its threads give way to those of other work
     */
    public record Crew(String name, int threads, int ahead, boolean bulk, LaneMetrics metrics) {}

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
        this.measured = new MeasuredRunner(runner, threads);
        this.answers = new LaneAnswers(answers, threads);
        this.isolation = isolation;
        this.threads = threads;
        ThreadFactory factory =
                threads.platform().name("render-" + crew.name() + "-", 0).factory();
        this.pool =
                Executors.newFixedThreadPool(crew.threads(), crew.bulk() ? BackgroundPriority.of(factory) : factory);
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

    /** @param starting number of tasks that are about to be handed over */
    public boolean hasRoom(int starting) {
        return running.size() + starting < crew.threads() * crew.ahead();
    }

    public boolean isBusy() {
        return !running.isEmpty() || answers.pending();
    }

    /**
     * Runs a task on a thread of the lane.
     *
     * @param broken called with an error after which the process must end
     */
    public void run(TaskExecution execution, Consumer<Throwable> broken) {
        execution.enqueued(threads.nanoTime());
        running.add(execution);
        execution.runsIn(pool.submit(() -> {
            try {
                if (execution.begin(threads.nanoTime())) {
                    MeasuredRunner.Measured run = measured.run(execution);
                    crew.metrics().ended(run.answer(), run.nanos());
                    answer(execution, run.answer());
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

    /**
     * To be called once the end of a task is committed, or the task is dropped. It leaves the isolation as soon as its
     * thread has ended it.
     */
    public void settled(TaskExecution execution) {
        if (execution.settle()) {
            isolation.leave(execution);
        }
    }

    /** Answers a task with a failure, without running it. */
    public void giveUp(TaskExecution execution, String message) {
        answer(
                execution,
                new AccountCommand.SliceFailed(execution.task().slice(), ErrorCode.RENDER_FAILED, message, true));
    }

    /**
     * Sends heartbeats and stops tasks that take too long. To be called regularly.
     *
     * @param broken called where a thread hangs, after which the process must end
     */
    public void watch(Consumer<Throwable> broken) {
        long now = threads.nanoTime();
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

    /** Whether a thread still runs a task that was stopped. */
    public boolean hanging() {
        long now = threads.nanoTime();
        Duration grace = settings.stopGrace().dividedBy(SHOWN_AFTER_PART);
        return running.stream().anyMatch(execution -> execution.hangs(grace, now));
    }

    /** Stops the chosen tasks without answering them. Returns the stopped tasks. */
    public List<TaskExecution> drop(Predicate<TaskExecution> chosen) {
        List<TaskExecution> dropped =
                running.stream().filter(chosen).filter(TaskExecution::decide).toList();
        long now = threads.nanoTime();
        dropped.forEach(execution -> execution.stop(now));
        dropped.forEach(this::settled);
        return dropped;
    }

    /** Takes back tasks that wait behind long ones. They have not run, so that their starts must not count. */
    public List<TaskExecution> takeBack() {
        long now = threads.nanoTime();
        List<TaskExecution> back = running.stream()
                .filter(execution -> execution.takeBack(LONGEST_WAIT, now))
                .toList();
        back.forEach(this::settled);
        return back;
    }

    public void close() {
        pool.shutdownNow();
    }

    private void answer(TaskExecution execution, AccountCommand answer) {
        if (execution.decide()) {
            answers.send(execution, answer);
        } else {
            runner.discard(answer);
        }
    }

    private AccountCommand tooLong(TaskExecution execution) {
        String message = "Rendering took longer than " + settings.timeLimit().toSeconds() + " s.";
        return new AccountCommand.SliceFailed(execution.task().slice(), ErrorCode.RENDER_FAILED, message);
    }
}
