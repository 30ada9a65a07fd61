package millrace.simulation.world;

import java.time.Duration;
import millrace.simulation.delivery.NotifierProcess;
import millrace.simulation.kernel.Scheduler;

/** A notifier with its supervisor. */
final class NotifierService implements SupervisedService {
    /** How often the supervisor checks the process. */
    private static final Duration WATCH = Duration.ofMillis(200);

    private final Scheduler scheduler;
    private final NotifierProcess notifier;
    private long startAt;

    NotifierService(Scheduler scheduler, NotifierProcess notifier) {
        this.scheduler = scheduler;
        this.notifier = notifier;
    }

    @Override
    public void start() {
        notifier.start();
        supervise();
    }

    private void supervise() {
        if (!notifier.alive() && scheduler.nanos() >= startAt) {
            notifier.start();
        }
        scheduler.after(WATCH, this::supervise);
    }

    @Override
    public boolean ready() {
        return notifier.ready();
    }

    @Override
    public void kill(Duration downFor) {
        startAt = scheduler.nanos() + downFor.toNanos();
        notifier.kill();
    }

    @Override
    public void stop(Duration downFor) {
        startAt = scheduler.nanos() + downFor.toNanos();
        notifier.stop();
    }

    @Override
    public void pause() {
        notifier.pause();
    }

    @Override
    public void resume() {
        notifier.resume();
    }
}
