package millrace.bench.process;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import millrace.processor.bootstrap.ProcessorMain;

/** A processor as a process, in the same folder as a {@link SingleGateway}. */
public final class SingleProcessor {
    private SingleProcessor() {}

    public static ChildProcess start(Path folder, String kafka, SingleGateway gateway, String... jvmOptions)
            throws IOException, InterruptedException {
        ChildProcess process = ChildProcess.start(
                ProcessorMain.class,
                List.of(jvmOptions),
                "--processor.public-address=" + gateway.address(),
                "--processor.warehouse=" + folder.resolve("warehouse"),
                "--processor.reports=" + folder.resolve("reports"),
                "--processor.link-secret=" + folder.resolve("link-secret"),
                "--processor.state=" + folder.resolve("state"),
                "--processor.duckdb.memory-limit=512MB",
                "--processor.duckdb.temp-directory=" + folder.resolve("scratch"),
                "--kafka.bootstrap.servers=" + kafka);
        process.await("processor started", Duration.ofMinutes(2));
        return process;
    }
}
