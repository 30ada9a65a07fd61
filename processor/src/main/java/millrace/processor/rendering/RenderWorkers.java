package millrace.processor.rendering;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import millrace.contracts.commands.RenderTask;
import millrace.contracts.topics.ConsumerGroups;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.processor.rendering.intake.TaskConsumer;
import millrace.processor.rendering.intake.TaskIntake;
import millrace.processor.rendering.worker.AnswerProducer;
import millrace.processor.rendering.worker.LaneMetrics;
import millrace.processor.rendering.worker.LaneWorkers;
import millrace.processor.rendering.worker.RenderSettings;
import millrace.processor.rendering.worker.SuspectIsolation;
import millrace.processor.rendering.worker.TaskRunner;
import millrace.runtime.kafka.KafkaClientFactory;
import millrace.runtime.service.ServiceThreads;
import millrace.runtime.settings.KafkaSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes slices from Kafka, renders them and answers the ledger. Small reports have threads of their own, so that they never
 * wait for large ones. A task's offset is committed when its answer is acknowledged, so a task is lost with no worker; its
 * starts are counted beforehand, so a task that ends its worker each time is given up after four.
 */
public final class RenderWorkers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RenderWorkers.class);

    private final AtomicBoolean closing;
    private final AnswerProducer answers;
    private final List<TaskIntake> intakes;

    private RenderWorkers(AtomicBoolean closing, AnswerProducer answers, List<TaskIntake> intakes) {
        this.closing = closing;
        this.answers = answers;
        this.intakes = intakes;
    }

    /**
     * What the workers work with.
     *
     * @param room whether there is room for the files of another task; until there is, none begins
     * @param registry gets the measurements
     */
    public record Tools(
            TaskRunner runner,
            KafkaClientFactory clients,
            ServiceThreads threads,
            BooleanSupplier room,
            MeterRegistry registry) {}

    /**
     * Starts the threads; topics must exist.
     *
     * @param onFatal told once of an error that the workers cannot go on after; called by one of their threads, which must not
     *     be made to wait for {@link #close()}
     */
    public static RenderWorkers start(
            KafkaSettings kafka, RenderSettings settings, Tools tools, Consumer<Throwable> onFatal) {
        var closing = new AtomicBoolean();
        var failed = new AtomicBoolean();
        Consumer<Throwable> fatal = error -> {
            if (!closing.get() && failed.compareAndSet(false, true)) {
                LOG.error("render workers cannot go on", error);
                onFatal.accept(error);
            }
        };
        var answers = new AnswerProducer(kafka, tools.clients(), fatal);
        var lanes = new Lanes(kafka, settings, tools, answers, new SuspectIsolation(), fatal);
        var workers = new RenderWorkers(closing, answers, List.of(lanes.large(), lanes.small()));
        workers.intakes.forEach(TaskIntake::start);
        return workers;
    }

    /** Builds the lanes, which share the producer of answers. */
    private record Lanes(
            KafkaSettings kafka,
            RenderSettings settings,
            Tools tools,
            AnswerProducer answers,
            SuspectIsolation isolation,
            Consumer<Throwable> onFatal) {
        TaskIntake large() {
            return lane(
                    Topics.SLICES,
                    ConsumerGroups.RENDERERS,
                    new LaneWorkers.Crew("slices", settings.workers(), 2, metrics("slices")));
        }

        TaskIntake small() {
            return lane(
                    Topics.SMALL_REPORTS,
                    ConsumerGroups.SMALL_RENDERERS,
                    new LaneWorkers.Crew("small", settings.smallWorkers(), 8, metrics("small")));
        }

        private TaskIntake lane(Topic<RenderTask> topic, String group, LaneWorkers.Crew crew) {
            var workers = new LaneWorkers(crew, settings, tools.runner(), answers, isolation, tools.threads());
            var consumer = new TaskConsumer(tools.clients(), kafka, group, workers.name());
            return new TaskIntake(topic, consumer, workers, tools.room(), tools.threads(), onFatal);
        }

        private LaneMetrics metrics(String lane) {
            return new LaneMetrics(tools.registry(), lane, tools.threads().clock());
        }
    }

    /** Whether slices are taken in. */
    public boolean alive() {
        return intakes.stream().allMatch(TaskIntake::alive);
    }

    /** Whether slices are taken in, and no thread hangs. Where one does, {@code onFatal} is told when its grace is over. */
    public boolean ready() {
        return intakes.stream().allMatch(TaskIntake::ready);
    }

    /** Stops within 2 s: what runs is dropped unanswered and will be run again. */
    @Override
    public void close() {
        closing.set(true);
        intakes.forEach(TaskIntake::stop);
        intakes.forEach(TaskIntake::await);
        answers.close();
    }
}
