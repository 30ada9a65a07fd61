package millrace.simulation.delivery;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import millrace.notifier.NotifierSettings;
import millrace.notifier.bootstrap.NotifierRunner;
import millrace.notifier.loop.NotifierEnvironment;
import millrace.notifier.loop.WebhookSecrets;
import millrace.runtime.settings.KafkaSettings;
import millrace.runtime.settings.Settings;
import millrace.simulation.kafka.SimulatedKafka;
import millrace.simulation.kernel.Scheduler;
import millrace.simulation.kernel.SimulatedProcess;
import org.jspecify.annotations.Nullable;

/**
 * Runs the real notifier in a simulated process that can be killed, paused, stopped, and started again with the same
 * name.
 */
public final class NotifierProcess {
    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    private final Scheduler scheduler;
    private final SimulatedKafka kafka;
    private final SimulatedReceivers receivers;
    private final NotifierSettings settings;
    private final String instance;
    private @Nullable SimulatedProcess process;
    private @Nullable NotifierRunner runner;
    private @Nullable Throwable fatal;

    /** @param instance the group instance id, the same after each restart */
    public NotifierProcess(
            Scheduler scheduler,
            SimulatedKafka kafka,
            SimulatedReceivers receivers,
            NotifierSettings settings,
            String instance) {
        this.scheduler = scheduler;
        this.kafka = kafka;
        this.receivers = receivers;
        this.settings = settings;
        this.instance = instance;
    }

    /** The default settings of a notifier, some of them replaced. */
    public static NotifierSettings settings(Map<String, String> others) {
        return Settings.sectionOf("notifier", NotifierSettings.class, others);
    }

    /** Starts the process, unless it is running. */
    public void start() {
        if (alive()) {
            return;
        }
        scheduler.trace().add("start " + instance);
        SimulatedProcess started = scheduler.process(instance);
        var environment = new NotifierEnvironment(
                started.threads(),
                kafka.clientsOf(started),
                new SplittableRandom(scheduler.random().nextLong()),
                receivers.senderOf(started),
                WebhookSecrets.of(account -> List.of(SECRET)),
                new SimpleMeterRegistry());
        process = started;
        fatal = null;
        runner = NotifierRunner.start(
                settings,
                KafkaSettings.local("simulated:9092", 1, instance),
                environment,
                error -> end(started, error));
    }

    /** Ends the process after a fatal error, as its launcher does. */
    private void end(SimulatedProcess ending, Throwable error) {
        scheduler.trace().add(instance + " ends by itself: " + error);
        if (ending == process) {
            fatal = error;
        }
        ending.kill();
    }

    /** Its group instance id, and the name of its machine. */
    public String instance() {
        return instance;
    }

    public boolean alive() {
        return process != null && process.alive();
    }

    /** Whether the notifier is a member of its group and has taken over all partitions that it was assigned. */
    public boolean ready() {
        return alive() && runner != null && runner.ready();
    }

    /** The error that ended the notifier since its last start, or null. */
    public @Nullable Throwable fatal() {
        return fatal;
    }

    /** Kills the process, as {@code kill -9} does. */
    public void kill() {
        if (process != null) {
            process.kill();
        }
    }

    /** Pauses the process, as SIGSTOP does, until {@link #resume}. */
    public void pause() {
        if (process != null) {
            process.pause();
        }
    }

    public void resume() {
        if (process != null) {
            process.resume();
        }
    }

    /**
     * Starts another process with the same name while this one is paused. Returns an action that resumes the paused
     * one.
     */
    Runnable replacePaused() {
        SimulatedProcess former = process;
        if (former == null || !former.alive() || former.running()) {
            return () -> {};
        }
        process = null;
        start();
        return former::resume;
    }

    /** Stops the process, as SIGTERM does; it leaves its group and ends within about 2 s. */
    public void stop() {
        SimulatedProcess stopping = process;
        NotifierRunner running = runner;
        if (stopping != null && running != null && stopping.alive()) {
            scheduler.trace().add("stop " + instance);
            stopping.threads().platform().name("shutdown").start(() -> {
                running.close();
                stopping.kill();
            });
        }
    }
}
