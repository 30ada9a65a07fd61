package millrace.processor.rendering.tasks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import millrace.contracts.commands.RenderTask;
import millrace.contracts.topics.Topic;
import millrace.runtime.kafka.ConsumerLagGauge;
import millrace.runtime.service.ServiceThreads;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SerializationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the tasks of one lane on its own thread, which keeps polling while tasks run, hands them to the workers and
 * commits their offsets.
 */
final class TaskIntake implements ConsumerRebalanceListener {
    private static final Logger LOG = LoggerFactory.getLogger(TaskIntake.class);
    /**
     * A task with so many starts may have killed its worker, and runs alone. A single crash of the machine leaves one
     * start, so that afterwards all tasks still run side by side.
     */
    private static final int SUSPECT_STARTS = 2;
    /** A task with so many starts is given up: it ran alone twice, and its worker died both times. */
    private static final int MOST_STARTS = 4;

    private static final Duration IDLE = Duration.ofMillis(500);
    private static final Duration BUSY = Duration.ofMillis(5);
    private static final Duration CLOSE = Duration.ofMillis(1500);

    private final Topic<RenderTask> topic;
    private final LaneWorkers workers;
    private final BooleanSupplier room;
    private final Consumer<Throwable> onFatal;
    private final TaskConsumer consumer;
    private final ServiceThreads threads;
    private final Thread thread;
    private final TaskOffsets offsets;
    private final TaskQueue queue = new TaskQueue();
    /** Tasks whose answers are acknowledged, and whose offsets are not committed. */
    private final List<TaskRun> ended = new ArrayList<>();

    private volatile boolean stopping;

    TaskIntake(
            Topic<RenderTask> topic,
            TaskConsumer consumer,
            LaneWorkers workers,
            BooleanSupplier room,
            TaskThreads.Tools tools) {
        this.topic = topic;
        this.consumer = consumer;
        this.workers = workers;
        this.room = room;
        this.onFatal = tools.broken();
        this.threads = tools.threads();
        LaneMetrics metrics = workers.metrics();
        ConsumerLagGauge.register(metrics.registry(), metrics.reader(), topic.name(), consumer::metrics);
        this.offsets = new TaskOffsets(consumer);
        this.thread = threads.platform().name("intake-" + workers.name()).unstarted(this::loop);
    }

    boolean alive() {
        return thread.isAlive();
    }

    /** Whether the intake runs and no worker thread hangs. */
    boolean ready() {
        return alive() && !workers.hanging();
    }

    void start() {
        thread.start();
    }

    void stop() {
        stopping = true;
        consumer.wakeup();
    }

    /** Waits a moment for the end of the intake. */
    void await() {
        long end = threads.nanoTime() + CLOSE.toNanos();
        while (thread.isAlive()
                && threads.nanoTime() < end
                && !Thread.currentThread().isInterrupted()) {
            threads.parkNanos(1_000_000);
        }
    }

    private void loop() {
        try {
            consumer.subscribe(topic.name(), this);
            while (!stopping) {
                step();
            }
            end();
        } catch (KafkaException e) {
            if (!stopping) {
                onFatal.accept(e);
            }
        } catch (RuntimeException | Error e) {
            onFatal.accept(e);
        } finally {
            workers.close();
            consumer.close();
        }
    }

    private void step() {
        boolean begins = room.getAsBoolean();
        boolean waiting = workers.isBusy() || (begins && !queue.waiting().isEmpty());
        for (ConsumerRecord<String, byte[]> task : consumer.poll(waiting ? BUSY : IDLE)) {
            receive(task);
        }
        workers.watch();
        workers.takeBack().reversed().forEach(this::requeue);
        settle();
        List<QueuedTask> starting = begins ? choose() : List.of();
        if (!commit(starting.isEmpty())) {
            starting.reversed().forEach(this::putBack);
            return;
        }
        starting.forEach(workers::run);
        workers.metrics().observe(queue.waiting());
        consumer.fetch(queue.hasRoom());
    }

    private void receive(ConsumerRecord<String, byte[]> task) {
        var partition = new TopicPartition(task.topic(), task.partition());
        offsets.received(partition, task.offset());
        try {
            queue.add(new QueuedTask(
                    topic.decode(task.value()),
                    task.timestamp(),
                    SliceSpan.traceparent(task.headers()),
                    task.value().length,
                    partition,
                    task.offset()));
        } catch (SerializationException e) {
            LOG.error(
                    "record skipped, it is not a task partition={} offset={} error={}",
                    partition,
                    task.offset(),
                    e.getMessage());
            offsets.finished(partition, task.offset());
        }
    }

    /** Marks tasks as finished whose answers are acknowledged. */
    private void settle() {
        for (TaskRun run : workers.answers().acknowledged()) {
            offsets.finished(run.queued().partition(), run.queued().offset());
            ended.add(run);
        }
    }

    /**
     * Commits changed offsets and starts. The end of a suspect is committed before anything else runs, since a crash
     * would count as the suspect's.
     *
     * @param relaxed whether the commit may be delayed
     * @return false if the commit failed and is to be repeated
     */
    private boolean commit(boolean relaxed) {
        boolean suspectEnded = !ended.isEmpty() && workers.isolation().isolating();
        if (!offsets.commit(relaxed && !suspectEnded)) {
            return false;
        }
        ended.forEach(workers::settled);
        ended.clear();
        return true;
    }

    /**
     * Chooses the tasks to start now and counts their starts, which are not committed yet. Tasks with too many starts
     * are given up.
     */
    private List<QueuedTask> choose() {
        List<QueuedTask> starting = new ArrayList<>();
        for (QueuedTask task : queue.takeAll()) {
            int starts = offsets.starts(task.partition(), task.offset());
            if (starts >= MOST_STARTS) {
                LOG.error("slice given up slice={} starts={}", task.task().slice(), starts);
                workers.giveUp(task, "Rendering ended its worker " + starts + " times.");
            } else if (admits(task, starts, starting.size())) {
                offsets.starting(task.partition(), task.offset());
                queue.handsOver(task);
                starting.add(task);
            } else {
                queue.add(task);
            }
        }
        return starting;
    }

    /** Whether the task may start now, together with {@code others}. If so, it has entered the isolation. */
    private boolean admits(QueuedTask task, int starts, int others) {
        return starts >= SUSPECT_STARTS
                ? others == 0 && workers.isolation().enterAlone(task)
                : workers.hasRoom(others) && workers.isolation().enter(task);
    }

    private void putBack(QueuedTask task) {
        offsets.interrupted(task.partition(), task.offset());
        workers.isolation().leave(task);
        queue.putBack(task);
    }

    /** Puts a task back that was handed over and has not begun. */
    private void requeue(QueuedTask task) {
        offsets.interrupted(task.partition(), task.offset());
        queue.putBack(task);
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> assigned) {
        offsets.assigned(assigned);
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
        settle();
        forget(revoked, true);
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> lost) {
        forget(lost, false);
    }

    /** Drops the tasks of partitions that this consumer no longer has. */
    private void forget(Collection<TopicPartition> gone, boolean commit) {
        queue.remove(gone).forEach(workers.isolation()::withdraw);
        workers.drop(task -> gone.contains(task.partition()))
                .forEach(task -> offsets.interrupted(task.partition(), task.offset()));
        if (commit) {
            var unused = commit(false);
        }
        offsets.forget(gone);
    }

    /** Commits offsets and starts for the next worker. Tasks that are interrupted now do not count as started. */
    private void end() {
        workers.drop(task -> true).forEach(task -> offsets.interrupted(task.partition(), task.offset()));
        workers.answers().await(Duration.ofMillis(500));
        settle();
        var unused = commit(false);
    }
}
