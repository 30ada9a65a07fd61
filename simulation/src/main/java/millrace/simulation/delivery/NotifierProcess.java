package millrace.simulation.delivery;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import millrace.notifier.NotifierSettings;
import millrace.notifier.attempt.WebhookSecrets;
import millrace.notifier.bootstrap.NotifierEnvironment;
import millrace.notifier.bootstrap.NotifierRunner;
import millrace.runtime.settings.KafkaSettings;
import millrace.runtime.settings.Settings;
import millrace.simulation.kafka.SimulatedKafka;
import millrace.simulation.kernel.Scheduler;
import millrace.simulation.kernel.SimulatedProcess;
import org.jspecify.annotations.Nullable;

/** The real notifier in a simulated process, which can be killed, paused, stopped, and started again under its name. */
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

    /** @param instance the stable name under which it is a member of its group */
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

    /** The settings that a notifier has where none are set, and these in place of some of them. */
    public static NotifierSettings settings(Map<String, String> others) {
        return Settings.load(Map.of("notifier", NotifierSettings.class), null, Map.of(), others)
                .section("notifier", NotifierSettings.class);
    }

    /** Starts it where it does not run. */
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

    /** As its launcher does where it cannot go on. */
    private void end(SimulatedProcess ending, Throwable error) {
        scheduler.trace().add(instance + " ends by itself: " + error);
        if (ending == process) {
            fatal = error;
        }
        ending.kill();
    }

    public boolean alive() {
        return process != null && process.alive();
    }

    /** Whether it is a member of its group and has taken over what it was assigned. */
    public boolean ready() {
        return alive() && runner != null && runner.ready();
    }

    /** What ended it, where it ended by itself since it was last started. */
    public @Nullable Throwable fatal() {
        return fatal;
    }

    /** As kill -9. */
    public void kill() {
        if (process != null) {
            process.kill();
        }
    }

    /** As SIGSTOP, until {@link #resume}. */
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

    /** Starts another one under its name while it is paused, as if it were dead. Returns what resumes it. */
    public Runnable replacePaused() {
        SimulatedProcess former = process;
        if (former == null || !former.alive() || former.running()) {
            return () -> {};
        }
        process = null;
        start();
        return former::resume;
    }

    /** As SIGTERM: it hands over and then ends, within about 2 s. */
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
