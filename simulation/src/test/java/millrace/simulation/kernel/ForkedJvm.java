package millrace.simulation.kernel;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Runs a main class in a new JVM with the class path of this one. */
public final class ForkedJvm {
    private ForkedJvm() {}

    /** Runs the class and returns its output. */
    public static String output(Class<?> main, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath(),
                main.getName()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(main + " ended with " + process.exitValue() + " and printed " + output);
        }
        return output;
    }

    /** The class path, which Surefire may put into the manifest of a jar. */
    private static String classPath() {
        return Stream.of(
                        System.getProperty("surefire.test.class.path", ""),
                        ManagementFactory.getRuntimeMXBean().getClassPath())
                .filter(path -> !path.isEmpty())
                .findFirst()
                .orElseThrow();
    }
}
