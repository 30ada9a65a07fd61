package millrace.processor.rendering.intake;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import millrace.contracts.commands.RenderTask;
import millrace.contracts.topics.Topic;
import millrace.processor.rendering.worker.LaneMetrics;
import millrace.processor.rendering.worker.LaneWorkers;
import millrace.processor.rendering.worker.SliceSpan;
import millrace.processor.rendering.worker.TaskExecution;
import millrace.runtime.kafka.ConsumerLagGauge;
import millrace.runtime.service.ServiceThreads;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.SerializationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads one topic of tasks in a thread of its own, which goes on polling while tasks run, and keeps their offsets. */
public final class TaskIntake implements ConsumerRebalanceListener {
    private static final Logger LOG = LoggerFactory.getLogger(TaskIntake.class);
    /**
     * Starts after which a task may be what ended its worker, and runs alone. One start more than a crash of the machine
     * leaves behind, so that after such a crash everything goes on side by side.
     */
    private static final int SUSPECT_STARTS = 2;
    /** Starts after which a task is given up: it ran alone twice, and its worker ended both times. */
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
    /** Tasks whose answers are acknowledged, and whose ends are not durable. */
    private final List<TaskExecution> ended = new ArrayList<>();

    private volatile boolean stopping;

    public TaskIntake(
            Topic<RenderTask> topic,
            TaskConsumer consumer,
            LaneWorkers workers,
            BooleanSupplier room,
            ServiceThreads threads,
            Consumer<Throwable> onFatal) {
        this.topic = topic;
        this.consumer = consumer;
        this.workers = workers;
        this.room = room;
        this.onFatal = onFatal;
        this.threads = threads;
        LaneMetrics metrics = workers.metrics();
        ConsumerLagGauge.register(metrics.registry(), metrics.reader(), topic.name(), consumer::metrics);
        this.offsets = new TaskOffsets(consumer);
        this.thread = threads.platform().name("intake-" + workers.name()).unstarted(this::loop);
    }

    public boolean alive() {
        return thread.isAlive();
    }

    /** Whether it takes tasks in and its threads do them. */
    public boolean ready() {
        return alive() && !workers.hanging();
    }

    public void start() {
        thread.start();
    }

    public void stop() {
        stopping = true;
        consumer.wakeup();
    }

    /** Waits for its end, but not for long. */
    public void await() {
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
        workers.watch(onFatal);
        workers.takeBack().reversed().forEach(this::requeue);
        settle();
        List<TaskExecution> starting = begins ? choose() : List.of();
        if (!commit(starting.isEmpty())) {
            starting.reversed().forEach(this::putBack);
            return;
        }
        starting.forEach(execution -> workers.run(execution, onFatal));
        workers.metrics().observe(queue.waiting());
        consumer.fetch(queue.hasRoom());
    }

    private void receive(ConsumerRecord<String, byte[]> task) {
        var partition = new TopicPartition(task.topic(), task.partition());
        PartitionTasks tasks = offsets.tasks(partition);
        tasks.received(task.offset());
        try {
            queue.add(new TaskExecution(
                    topic.decode(task.value()),
                    partition,
                    task.offset(),
                    task.timestamp(),
                    SliceSpan.traceparent(task),
                    task.value().length));
        } catch (SerializationException e) {
            LOG.error("skipping what is not a task, {} offset {}: {}", partition, task.offset(), e.getMessage());
            tasks.finished(task.offset());
        }
    }

    /** Tasks whose answers are safe are finished. */
    private void settle() {
        for (TaskExecution execution : workers.answers().acknowledged()) {
            offsets.finished(execution.partition(), execution.offset());
            ended.add(execution);
        }
    }

    /**
     * Commits what has changed. The end of a suspect is waited for: until it is durable nothing else may run, since a crash
     * would count as the suspect's.
     *
     * @param relaxed whether it is enough to have it done soon
     * @return false where it could not be done now but may be later
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

    /** What is to be started now, counted but not yet durably; those that were started too often are refused instead. */
    private List<TaskExecution> choose() {
        List<TaskExecution> starting = new ArrayList<>();
        for (TaskExecution execution : queue.takeAll()) {
            int starts = offsets.tasks(execution.partition()).starts(execution.offset());
            if (starts >= MOST_STARTS) {
                LOG.error(
                        "giving up {}: it was started {} times",
                        execution.task().slice(),
                        starts);
                workers.giveUp(execution, "Rendering ended its worker " + starts + " times.");
            } else if (admits(execution, starts, starting.size())) {
                offsets.tasks(execution.partition()).starting(execution.offset());
                queue.handsOver(execution);
                starting.add(execution);
            } else {
                queue.add(execution);
            }
        }
        return starting;
    }

    /** May this task be handed over now, beside so many others? If so, it has its place in the isolation. */
    private boolean admits(TaskExecution execution, int starts, int others) {
        return starts >= SUSPECT_STARTS
                ? others == 0 && workers.isolation().enterAlone(execution)
                : workers.hasRoom(others) && workers.isolation().enter(execution);
    }

    private void putBack(TaskExecution execution) {
        offsets.tasks(execution.partition()).interrupted(execution.offset());
        workers.isolation().leave(execution);
        queue.putBack(execution);
    }

    /** It was handed over and has not begun. */
    private void requeue(TaskExecution execution) {
        offsets.tasks(execution.partition()).interrupted(execution.offset());
        queue.putBack(execution.again());
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

    /** Somebody else runs these now. */
    private void forget(Collection<TopicPartition> gone, boolean commit) {
        queue.remove(gone).forEach(workers.isolation()::withdraw);
        workers.drop(execution -> gone.contains(execution.partition()))
                .forEach(execution -> offsets.tasks(execution.partition()).interrupted(execution.offset()));
        if (commit) {
            var unused = commit(false);
        }
        offsets.forget(gone);
    }

    /** Leaves behind what the next worker needs: nothing that was merely cut short counts as started. */
    private void end() {
        workers.drop(execution -> true)
                .forEach(execution -> offsets.tasks(execution.partition()).interrupted(execution.offset()));
        workers.answers().await(Duration.ofMillis(500));
        settle();
        var unused = commit(false);
    }
}
