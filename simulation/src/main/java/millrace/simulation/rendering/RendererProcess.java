package millrace.simulation.rendering;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.function.Consumer;
import millrace.processor.rendering.RenderWorkers;
import millrace.processor.rendering.worker.RenderSettings;
import millrace.processor.rendering.worker.TaskRunner;
import millrace.runtime.settings.KafkaSettings;
import millrace.simulation.kafka.SimulatedKafka;
import millrace.simulation.kernel.SimulatedProcess;

/** The real render workers in one process. */
public final class RendererProcess {
    private final SimulatedProcess process;
    private final SimulatedKafka kafka;
    private final KafkaSettings settings;
    private final RenderSettings rendering;

    /** @param settings name the instance, whose name a restarted process has again */
    public RendererProcess(
            SimulatedProcess process, SimulatedKafka kafka, KafkaSettings settings, RenderSettings rendering) {
        this.process = process;
        this.kafka = kafka;
        this.settings = settings;
        this.rendering = rendering;
    }

    /**
     * Starts the workers; from a thread of the process.
     *
     * @param onFatal told of an error that the workers cannot go on after
     */
    public RenderWorkers start(TaskRunner runner, Consumer<Throwable> onFatal) {
        var tools = new RenderWorkers.Tools(
                runner, kafka.clientsOf(process), process.threads(), () -> true, new SimpleMeterRegistry());
        return RenderWorkers.start(settings, rendering, tools, onFatal);
    }
}
