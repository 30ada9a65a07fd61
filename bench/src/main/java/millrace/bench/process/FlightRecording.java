package millrace.bench.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Flight recordings of what is measured, where {@code --profile} names a folder for them: for {@code jfr view hot-methods}.
 * They cost a few percent, so figures come from runs without.
 */
public record FlightRecording(@Nullable Path folder) {
    private static final String RECORDING =
            "-XX:StartFlightRecording:settings=profile,delay=20s,jdk.CPUTimeSample#enabled=true,jdk.CPUTimeSample#throttle=5ms";

    public static FlightRecording of(BenchOptions options) {
        String folder = options.text("profile");
        return new FlightRecording(
                folder.equals("none") ? null : Path.of(folder).toAbsolutePath());
    }

    /** Those of the process that is recorded, and what records it. */
    public List<String> with(String... jvmOptions) {
        List<String> all = new ArrayList<>(List.of(jvmOptions));
        if (folder != null) {
            all.add(RECORDING);
        }
        return all;
    }

    /** Writes what has been recorded so far; a process that is stopped writes nothing more. */
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
