package millrace.processor.rendering.tasks;

import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.reports.ErrorCode;
import millrace.runtime.service.ServiceThreads;

/** Runs the tasks of one lane, answers them through Kafka, and stops those that take too long. */
final class LaneWorkers {
    /**
     * Tasks are handed over before a thread is free, so that threads do not wait for the next poll. A task that waits
     * longer than this is behind long tasks.
     */
    private static final Duration LONGEST_WAIT = Duration.ofMillis(100);
    /** A stopped task that still runs makes the process not ready after this part of the grace. */
    private static final int SHOWN_AFTER_PART = 6;

    private final Crew crew;
    private final RenderSettings settings;
    private final ServiceThreads threads;
    private final TaskThreads workers;
    private final TaskThreads.Tools tools;
    private final LaneAnswers answers;

    /**
     * The size of a lane.
     *
     * @param threads number of tasks that run at the same time
     * @param ahead number of tasks per thread that are handed over, so that threads do not wait for the next poll
     * @param bulk whether its threads give way to those of other work
     */
    record Crew(String name, int threads, int ahead, boolean bulk, LaneMetrics metrics) {}

    LaneWorkers(Crew crew, RenderSettings settings, TaskThreads.Tools tools, AnswerProducer answers) {
        this.crew = crew;
        this.settings = settings;
        this.tools = tools;
        this.threads = tools.threads();
        this.answers = new LaneAnswers(answers, threads);
        this.workers = new TaskThreads(crew.name(), crew.threads(), crew.bulk(), crew.metrics(), tools);
        crew.metrics().running(workers::size);
    }

    LaneMetrics metrics() {
        return crew.metrics();
    }

    String name() {
        return crew.name();
    }

    LaneAnswers answers() {
        return answers;
    }

    SuspectIsolation isolation() {
        return tools.isolation();
    }

    /** @param starting number of tasks that are about to be handed over */
    boolean hasRoom(int starting) {
        return workers.size() + starting < crew.threads() * crew.ahead();
    }

    boolean isBusy() {
        return workers.size() > 0 || answers.pending();
    }

    /** Runs a task on a thread of the lane. */
    void run(QueuedTask queued) {
        var run = new TaskRun(queued, threads.nanoTime());
        var unused = workers.start(run, 0, answer -> answers.send(run, answer));
    }

    /** To be called once the end of a task is committed. */
    void settled(TaskRun run) {
        workers.settle(run);
    }

    /** Answers a task with a failure, without running it. */
    void giveUp(QueuedTask queued, String message) {
        var answer = new AccountCommand.SliceFailed(queued.task().slice(), ErrorCode.RENDER_FAILED, message, true);
        answers.send(new TaskRun(queued, threads.nanoTime()), answer);
    }

    /** Sends heartbeats and stops tasks that take too long. To be called regularly. */
    void watch() {
        long now = threads.nanoTime();
        workers.runs().forEach(run -> {
            if (run.lastsLongerThan(settings.timeLimit(), now)) {
                endTooLong(run, now);
            } else if (run.isDueForHeartbeat(settings.heartbeat(), now)) {
                answers.heartbeat(run);
            }
        });
        workers.endIfHanging(settings.stopGrace());
    }

    private void endTooLong(TaskRun run, long now) {
        if (run.stop(now, true)) {
            Duration limit = settings.timeLimit();
            var answer = new AccountCommand.SliceFailed(
                    run.queued().task().slice(),
                    ErrorCode.RENDER_FAILED,
                    "Rendering took longer than " + limit.toSeconds() + " s.");
            crew.metrics().ended(answer, limit.toNanos());
            answers.send(run, answer);
        }
    }

    /** Whether a thread still runs a task that was stopped. */
    boolean hanging() {
        long now = threads.nanoTime();
        Duration grace = settings.stopGrace().dividedBy(SHOWN_AFTER_PART);
        return workers.runs().anyMatch(run -> run.hangs(grace, now));
    }

    /** Stops the chosen tasks without answering them. Returns the stopped tasks. */
    List<QueuedTask> drop(Predicate<QueuedTask> chosen) {
        long now = threads.nanoTime();
        return stopped(run -> chosen.test(run.queued()) && run.stop(now, true));
    }

    /** Takes back tasks that wait behind long ones. They have not run, so that their starts must not count. */
    List<QueuedTask> takeBack() {
        long now = threads.nanoTime();
        return stopped(run -> run.takeBack(LONGEST_WAIT, now));
    }

    private List<QueuedTask> stopped(Predicate<TaskRun> stop) {
        List<TaskRun> stopped = workers.runs().filter(stop).toList();
        stopped.forEach(workers::settle);
        return stopped.stream().map(TaskRun::queued).toList();
    }

    void close() {
        var unused = drop(queued -> true);
        workers.close();
    }
}
