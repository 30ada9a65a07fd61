package millrace.processor.rendering.tasks;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import millrace.contracts.commands.RenderTask;
import millrace.contracts.topics.ConsumerGroups;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.processor.ledger.streams.LocalWorkers;
import millrace.runtime.kafka.KafkaClientFactory;
import millrace.runtime.service.ServiceThreads;
import millrace.runtime.settings.KafkaSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads slices from Kafka, renders them and answers the ledger. Small reports have their own threads, so that they
 * never wait for large ones. The offset of a task is committed after its answer is acknowledged, so that no task is
 * lost with its worker. Its starts are committed before it runs, so that a task that kills its worker is given up after
 * four starts.
 */
public final class RenderWorkers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RenderWorkers.class);

    private final AtomicBoolean closing;
    private final AnswerProducer answers;
    private final List<TaskIntake> intakes;
    private final MemoryWorkers memory;

    private RenderWorkers(
            AtomicBoolean closing, AnswerProducer answers, List<TaskIntake> intakes, MemoryWorkers memory) {
        this.closing = closing;
        this.answers = answers;
        this.intakes = intakes;
        this.memory = memory;
    }

    /**
     * The environment of the workers.
     *
     * @param room whether the disks have room for the files of another task; no task starts without
     * @param registry receives the metrics
     */
    public record Tools(
            TaskRunner runner,
            KafkaClientFactory clients,
            ServiceThreads threads,
            BooleanSupplier room,
            MeterRegistry registry) {}

    /**
     * Starts the threads; the topics must exist.
     *
     * @param onFatal called once with an error after which the workers cannot go on, on one of their threads, which
     *     must not wait for {@link #close()}
     */
    public static RenderWorkers start(
            KafkaSettings kafka, RenderSettings settings, Tools tools, Consumer<Throwable> onFatal) {
        var closing = new AtomicBoolean();
        var failed = new AtomicBoolean();
        Consumer<Throwable> fatal = error -> {
            if (!closing.get() && failed.compareAndSet(false, true)) {
                LOG.error("render workers failed", error);
                onFatal.accept(error);
            }
        };
        var answers = new AnswerProducer(kafka, tools.clients(), fatal);
        var shared = new TaskThreads.Tools(tools.runner(), new SuspectIsolation(), tools.threads(), fatal);
        var lanes = new Lanes(kafka, settings, tools, answers, shared);
        LaneMetrics small = lanes.metrics("small");
        var memory = new MemoryWorkers(settings, small, shared, tools.room());
        var workers = new RenderWorkers(closing, answers, List.of(lanes.large(), lanes.small(small)), memory);
        workers.intakes.forEach(TaskIntake::start);
        return workers;
    }

    /** Creates the lanes, which share the producer of answers. */
    private record Lanes(
            KafkaSettings kafka,
            RenderSettings settings,
            Tools tools,
            AnswerProducer answers,
            TaskThreads.Tools shared) {
        TaskIntake large() {
            return lane(
                    Topics.SLICES,
                    ConsumerGroups.RENDERERS,
                    new LaneWorkers.Crew("slices", settings.workers(), 2, true, metrics("slices")));
        }

        TaskIntake small(LaneMetrics metrics) {
            return lane(
                    Topics.SMALL_REPORTS,
                    ConsumerGroups.SMALL_RENDERERS,
                    new LaneWorkers.Crew("small", settings.smallWorkers(), 8, false, metrics));
        }

        private TaskIntake lane(Topic<RenderTask> topic, String group, LaneWorkers.Crew crew) {
            var workers = new LaneWorkers(crew, settings, shared, answers);
            var consumer = new TaskConsumer(tools.clients(), kafka, group, workers.name());
            return new TaskIntake(topic, consumer, workers, tools.room(), shared);
        }

        private LaneMetrics metrics(String lane) {
            return new LaneMetrics(tools.registry(), lane, tools.threads().clock());
        }
    }

    /** Those that take tasks from the ledger of this process. */
    public LocalWorkers local() {
        return memory;
    }

    /** Whether the workers read tasks. */
    public boolean alive() {
        return intakes.stream().allMatch(TaskIntake::alive);
    }

    /**
     * Whether the workers read tasks and no thread hangs. If a thread hangs beyond its grace, {@code onFatal} is
     * called.
     */
    public boolean ready() {
        return intakes.stream().allMatch(TaskIntake::ready);
    }

    /** Stops within 2 s. Running tasks are cancelled without an answer; another worker runs them again. */
    @Override
    public void close() {
        closing.set(true);
        intakes.forEach(TaskIntake::stop);
        memory.close();
        intakes.forEach(TaskIntake::await);
        answers.close();
    }
}
