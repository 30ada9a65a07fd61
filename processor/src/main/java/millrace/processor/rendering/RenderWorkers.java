package millrace.processor.rendering;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import millrace.contracts.ConsumerGroups;
import millrace.contracts.Topics;
import millrace.files.ReportStore;
import millrace.runtime.KafkaSettings;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes slices from Kafka, renders them and answers the ledger. Small reports have threads of their own, so that they never
 * wait for large ones. A task's offset is committed when its answer is acknowledged, so a task is lost with no worker; its
 * starts are counted beforehand, so a task that kills its worker each time is given up after three.
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

    /** What the workers work with. */
    public record Tools(
            SliceRenderer renderer,
            ReportStore store,
            InstantSource clock,
            Supplier<UUID> executionIds,
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
        var answers = new Answers(kafka, fatal);
        var solitude = new Solitude();
        var run = new TaskRun(tools.renderer(), tools.store(), tools.executionIds());
        var large = new Workers(
                new Workers.Crew("slices", settings.workers(), 2, figures("slices", tools)),
                settings,
                run,
                answers,
                solitude,
                tools.clock());
        var small = new Workers(
                new Workers.Crew("small", settings.smallWorkers(), 8, figures("small", tools)),
                settings,
                run,
                answers,
                solitude,
                tools.clock());
        var workers = new RenderWorkers(
                closing,
                answers,
                List.of(
                        new Intake(kafka, Topics.SLICES, ConsumerGroups.RENDERERS, large, fatal),
                        new Intake(kafka, Topics.SMALL_REPORTS, ConsumerGroups.SMALL_RENDERERS, small, fatal)));
        workers.intakes.forEach(Intake::start);
        return workers;
    }

    /** Whether slices are taken in. */
    public boolean alive() {
        return intakes.stream().allMatch(Intake::alive);
    }

    private static LaneFigures figures(String lane, Tools tools) {
        return new LaneFigures(tools.registry(), lane, tools.clock());
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
