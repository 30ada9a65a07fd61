package millrace.simulation.world;

import java.time.Duration;
import java.util.function.Function;
import java.util.function.Supplier;
import millrace.simulation.processor.ProcessorProcess;
import org.jspecify.annotations.Nullable;

/** A processor with its supervisor. */
final class ProcessorService implements SupervisedService {
    /** Time until the restart of a process that ended by itself. */
    private static final Duration RESTART = Duration.ofSeconds(1);

    private final Function<Supplier<Duration>, ProcessorProcess> starter;
    private @Nullable ProcessorProcess processor;
    private Duration downFor = RESTART;

    /** @param starter starts a processor, given the time of each restart */
    ProcessorService(Function<Supplier<Duration>, ProcessorProcess> starter) {
        this.starter = starter;
    }

    @Override
    public void start() {
        processor = starter.apply(() -> {
            Duration time = downFor;
            downFor = RESTART;
            return time;
        });
    }

    private ProcessorProcess running() {
        if (processor == null) {
            throw new IllegalStateException("it is not started");
        }
        return processor;
    }

    @Override
    public boolean ready() {
        return processor != null;
    }

    @Override
    public void kill(Duration time) {
        downFor = time;
        running().kill();
    }

    @Override
    public void stop(Duration time) {
        downFor = time;
        running().stop();
    }

    @Override
    public void pause() {
        running().pause();
    }

    @Override
    public void resume() {
        running().resume();
    }
}
