package millrace.runtime.management;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmInfoMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;

/** Registers the metrics of the JVM and of its process, and which build runs in it. */
final class JvmMetrics implements AutoCloseable {
    private final JvmGcMetrics collections = new JvmGcMetrics();

    JvmMetrics(MeterRegistry registry) {
        collections.bindTo(registry);
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new JvmInfoMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        String version = JvmMetrics.class.getPackage().getImplementationVersion();
        Gauge.builder("millrace.build.info", () -> 1)
                .description("Always 1; which build of Millrace the process runs")
                .tag("version", version == null ? "unknown" : version)
                .register(registry);
    }

    @Override
    public void close() {
        collections.close();
    }
}
