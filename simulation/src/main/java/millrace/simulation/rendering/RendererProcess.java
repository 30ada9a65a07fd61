package millrace.simulation.rendering;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.function.Consumer;
import millrace.processor.rendering.tasks.RenderSettings;
import millrace.processor.rendering.tasks.RenderWorkers;
import millrace.processor.rendering.tasks.TaskRunner;
import millrace.runtime.settings.KafkaSettings;
import millrace.simulation.kafka.SimulatedKafka;
import millrace.simulation.kernel.SimulatedProcess;

/** Runs the real render workers in one simulated process. */
public final class RendererProcess {
    private final SimulatedProcess process;
    private final SimulatedKafka kafka;
    private final KafkaSettings settings;
    private final RenderSettings rendering;

    /** @param settings with the instance id, which is the same after a restart */
    public RendererProcess(
            SimulatedProcess process, SimulatedKafka kafka, KafkaSettings settings, RenderSettings rendering) {
        this.process = process;
        this.kafka = kafka;
        this.settings = settings;
        this.rendering = rendering;
    }

    /**
     * Starts the workers; to be called by a thread of the process.
     *
     * @param onFatal called with an error after which the workers cannot go on
     */
    public RenderWorkers start(TaskRunner runner, Consumer<Throwable> onFatal) {
        var tools = new RenderWorkers.Tools(
                runner, kafka.clientsOf(process), process.threads(), () -> true, new SimpleMeterRegistry());
        return RenderWorkers.start(settings, rendering, tools, onFatal);
    }
}
