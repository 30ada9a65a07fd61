package millrace.bench.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Records measured processes with JFR where {@code --profile} names a folder, for {@code jfr view
 * hot-methods}. A recording costs a few percent, so figures come from runs without.
 */
public record FlightRecording(@Nullable Path folder) {
    private static final String RECORDING =
            "-XX:StartFlightRecording:settings=profile,delay=20s,jdk.CPUTimeSample#enabled=true,jdk.CPUTimeSample#throttle=5ms";

    public static FlightRecording of(BenchOptions options) {
        String folder = options.text("profile");
        return new FlightRecording(
                folder.equals("none") ? null : Path.of(folder).toAbsolutePath());
    }

    /** The JVM options with those that start a recording. */
    public List<String> with(String... jvmOptions) {
        List<String> all = new ArrayList<>(List.of(jvmOptions));
        if (folder != null) {
            all.add(RECORDING);
        }
        return all;
    }

    /** Writes what has been recorded so far. Must be called before the process is stopped. */
    public void dump(ChildProcess child, String name) throws IOException, InterruptedException {
        if (folder == null) {
            return;
        }
        Path file = Files.createDirectories(folder).resolve(name + ".jfr");
        Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
        new ProcessBuilder(jcmd.toString(), Long.toString(child.pid()), "JFR.dump", "filename=" + file)
                .start()
                .waitFor();
    }
}
