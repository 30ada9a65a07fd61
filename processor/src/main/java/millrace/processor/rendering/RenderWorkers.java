package millrace.processor.rendering;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import millrace.contracts.ConsumerGroups;
import millrace.contracts.RenderTask;
import millrace.contracts.Topic;
import millrace.contracts.Topics;
import millrace.runtime.KafkaClientFactory;
import millrace.runtime.KafkaSettings;
import millrace.runtime.ServiceThreads;
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
    private final Answers answers;
    private final List<Intake> intakes;

    private RenderWorkers(AtomicBoolean closing, Answers answers, List<Intake> intakes) {
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
        var answers = new Answers(kafka, tools.clients(), fatal);
        var lanes = new Lanes(kafka, settings, tools, answers, new SuspectIsolation(), fatal);
        var workers = new RenderWorkers(closing, answers, List.of(lanes.large(), lanes.small()));
        workers.intakes.forEach(Intake::start);
        return workers;
    }

    /** Builds the lanes, which share the producer of answers. */
    private record Lanes(
            KafkaSettings kafka,
            RenderSettings settings,
            Tools tools,
            Answers answers,
            SuspectIsolation isolation,
            Consumer<Throwable> onFatal) {
        Intake large() {
            return lane(
                    Topics.SLICES,
                    ConsumerGroups.RENDERERS,
                    new Workers.Crew("slices", settings.workers(), 2, figures("slices")));
        }

        Intake small() {
            return lane(
                    Topics.SMALL_REPORTS,
                    ConsumerGroups.SMALL_RENDERERS,
                    new Workers.Crew("small", settings.smallWorkers(), 8, figures("small")));
        }

        private Intake lane(Topic<RenderTask> topic, String group, Workers.Crew crew) {
            var workers = new Workers(crew, settings, tools.runner(), answers, isolation, tools.threads());
            var consumer = new TaskConsumer(tools.clients(), kafka, group, workers.name());
            return new Intake(topic, consumer, workers, tools.room(), tools.threads(), onFatal);
        }

        private LaneFigures figures(String lane) {
            return new LaneFigures(tools.registry(), lane, tools.threads().clock());
        }
    }

    /** Whether slices are taken in. */
    public boolean alive() {
        return intakes.stream().allMatch(Intake::alive);
    }

    /** Whether slices are taken in, and no thread hangs. Where one does, {@code onFatal} is told when its grace is over. */
    public boolean ready() {
        return intakes.stream().allMatch(Intake::ready);
    }

    /** Stops within 2 s: what runs is dropped unanswered and will be run again. */
    @Override
    public void close() {
        closing.set(true);
        intakes.forEach(Intake::stop);
        intakes.forEach(Intake::await);
        answers.close();
    }
}
