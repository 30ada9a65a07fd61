package millrace.bench.process;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import millrace.processor.bootstrap.ProcessorMain;

/** A processor as a process, in the same folder as a {@link SingleGateway}. */
public final class SingleProcessor {
    private SingleProcessor() {}

    public static ChildProcess start(Path folder, String kafka, SingleGateway gateway, String... jvmOptions)
            throws IOException, InterruptedException {
        ChildProcess process =
                launch(folder, folder, kafka, gateway.address(), List.of(jvmOptions), "--processor.standbys=0");
        process.await("processor started", Duration.ofMinutes(2));
        return process;
    }

    /**
     * Launches one of several with the same reports, secrets and data; it is not ready yet.
     *
     * @param own folder of this processor alone
     * @param address of a gateway
     */
    public static ChildProcess launch(
            Path shared, Path own, String kafka, String address, List<String> jvmOptions, String... settings)
            throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "--processor.public-address=" + address,
                "--processor.warehouse=" + shared.resolve("warehouse"),
                "--storage.reports=" + shared.resolve("reports"),
                "--storage.link-secret=" + shared.resolve("link-secret"),
                "--processor.state=" + own.resolve("state"),
                "--processor.duckdb.memory-limit=512MB",
                "--processor.duckdb.temp-directory=" + own.resolve("scratch"),
                "--kafka.bootstrap.servers=" + kafka));
        arguments.addAll(List.of(settings));
        return ChildProcess.start(ProcessorMain.class, jvmOptions, arguments.toArray(String[]::new));
    }
}
