package millrace.simulation.processor;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;
import millrace.contracts.topics.Topics;
import millrace.processor.ledger.streams.AccountStepSupplier;
import millrace.processor.ledger.streams.LedgerTransaction;
import millrace.processor.ledger.streams.ReportTopology;
import millrace.processor.rendering.tasks.RenderWorkers;
import millrace.processor.retention.FileDeleter;
import millrace.runtime.settings.KafkaSettings;
import millrace.simulation.kafka.SimulatedKafka;
import millrace.simulation.kernel.Scheduler;
import millrace.simulation.kernel.SimulatedProcess;
import millrace.simulation.ledger.LedgerProcess;
import millrace.simulation.rendering.RendererProcess;
import millrace.simulation.rendering.SimulatedRenderer;
import org.jspecify.annotations.Nullable;

/**
 * One processor: ledger, render workers and file deleter in one simulated process, which is started again after it has died. Methods
 * are called by events and by the thread that runs the simulation.
 */
public final class ProcessorProcess {
    private final Scheduler scheduler;
    private final SimulatedKafka kafka;
    private final KafkaSettings settings;
    private final ProcessorPlan plan;
    private SimulatedProcess process;
    private @Nullable SimulatedRenderer renderer;
    private int kills;

    /** @param instance the group instance id, the same after each restart */
    public ProcessorProcess(Scheduler scheduler, SimulatedKafka kafka, String instance, ProcessorPlan plan) {
        this.scheduler = scheduler;
        this.kafka = kafka;
        this.settings = KafkaSettings.local("simulated:9092", 1, instance);
        this.plan = plan;
        this.process = start();
    }

    /** Creates the topics that processors read and write. */
    public static void createTopics(SimulatedKafka kafka, ProcessorPlan plan, int partitions) {
        kafka.createTopic(Topics.ACCOUNT_COMMANDS.name(), partitions);
        ReportTopology.outputs().forEach(topic -> kafka.createTopic(topic.name(), partitions));
        LedgerProcess.createTopics(
                kafka, steps(plan, ProcessorProcess::noThread, InstantSource.fixed(Instant.EPOCH)), partitions);
    }

    /** Kills the process, as {@code kill -9} does. The supervisor starts it again. */
    public void kill() {
        interrupt();
        process.kill();
    }

    /** Pauses the process, as SIGSTOP does. */
    public void pause() {
        interrupt();
        process.pause();
    }

    private void interrupt() {
        if (renderer != null && process.running()) {
            renderer.alone().ifPresent(plan.interruptedAlone());
        }
    }

    /** Resumes the process, as SIGCONT does. */
    public void resume() {
        process.resume();
    }

    /** Stops the process, as SIGTERM does. It leaves its groups and exits; the supervisor starts it again. */
    public void stop() {
        if (process.running()) {
            var unused = process.threads().platform().name("stop").start(stopping);
        }
    }

    /** How often the process has died or exited. */
    public int ends() {
        return kills;
    }

    private Runnable stopping = () -> {};

    private SimulatedProcess start() {
        SimulatedProcess started = scheduler.process(settings.instanceId());
        started.onKilled(() -> {
            kills++;
            scheduler.after(plan.restart().get(), () -> process = start());
        });
        var unused = started.threads().platform().name("main").start(() -> main(started));
        return started;
    }

    private void main(SimulatedProcess of) {
        var runner = new SimulatedRenderer(of, plan.files(), plan.runs());
        renderer = runner;
        RenderWorkers workers =
                new RendererProcess(of, kafka, settings, plan.rendering()).start(runner, error -> fatal(of, error));
        var ledger = new LedgerProcess(
                of,
                kafka,
                settings,
                transaction -> steps(plan, transaction, of.threads().clock()),
                workers.local(),
                error -> fatal(of, error));
        ledger.start();
        FileDeleter deleter = FileDeleter.start(
                settings,
                new FileDeleter.Tools(
                        plan.files()::delete,
                        () -> true,
                        kafka.clientsOf(of),
                        of.threads(),
                        new SimpleMeterRegistry()));
        stopping = () -> {
            ledger.stop();
            deleter.stop();
            workers.close();
            while (!ledger.ended()) {
                of.threads().parkNanos(1_000_000);
            }
            of.kill();
        };
    }

    private void fatal(SimulatedProcess of, Throwable error) {
        scheduler.trace().add(of.name() + " ends: " + error);
        of.kill();
    }

    private static LedgerTransaction noThread() {
        throw new IllegalStateException("no step runs");
    }

    private static AccountStepSupplier steps(
            ProcessorPlan plan, Supplier<LedgerTransaction> transaction, InstantSource wall) {
        return new AccountStepSupplier(
                plan.rules(), plan.versions(), (report, file) -> null, new SimpleMeterRegistry(), transaction, wall);
    }
}
