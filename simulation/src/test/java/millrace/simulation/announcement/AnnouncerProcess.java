package millrace.simulation.announcement;

import java.time.Duration;
import millrace.notifier.versions.Subscribers;
import millrace.notifier.versions.VersionAnnouncer;
import millrace.runtime.settings.KafkaSettings;
import millrace.simulation.kafka.SimulatedKafka;
import millrace.simulation.kernel.Scheduler;
import millrace.simulation.kernel.SimulatedProcess;
import org.jspecify.annotations.Nullable;

/** Runs the real announcer in a simulated process. */
final class AnnouncerProcess {
    private final Scheduler scheduler;
    private final SimulatedKafka kafka;
    private final Subscribers subscribers;
    private final String instance;
    private SimulatedProcess process;
    private @Nullable Throwable fatal;

    AnnouncerProcess(Scheduler scheduler, SimulatedKafka kafka, Subscribers subscribers, String instance) {
        this.scheduler = scheduler;
        this.kafka = kafka;
        this.subscribers = subscribers;
        this.instance = instance;
        this.process = run();
    }

    private SimulatedProcess run() {
        scheduler.trace().add("start " + instance);
        SimulatedProcess started = scheduler.process(instance);
        var unused = VersionAnnouncer.start(
                KafkaSettings.local("simulated:9092", 1, instance),
                kafka.clientsOf(started),
                started.threads(),
                subscribers,
                () -> true,
                error -> fatal = error);
        return started;
    }

    /** Null unless it has failed with something that is not an error of Kafka. */
    @Nullable
    Throwable fatal() {
        return fatal;
    }

    /** Kills the process, and starts it with the same name after a time. */
    void kill(Duration down) {
        if (process.alive()) {
            process.kill();
            scheduler.after(down, () -> process = run());
        }
    }

    /** Pauses the process, and meanwhile runs another one with the same name where that is wanted. */
    void pause(Duration time, boolean replaced) {
        if (!process.running()) {
            return;
        }
        SimulatedProcess paused = process;
        paused.pause();
        if (replaced) {
            process = run();
        }
        scheduler.after(time, paused::resume);
    }
}
