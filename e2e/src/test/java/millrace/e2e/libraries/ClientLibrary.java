package millrace.e2e.libraries;

import io.millrace.client.Client;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import millrace.e2e.process.ProcessResult;

/** A library for clients, which is tried as its README shows it. */
enum ClientLibrary {
    PYTHON("python"),
    JAVASCRIPT("javascript"),
    JAVA("java");

    private static final Path CLIENTS =
            Path.of("..", "clients").toAbsolutePath().normalize();

    private final String language;

    ClientLibrary(String language) {
        this.language = language;
    }

    /** A command that ends with 0 where what runs the library is there. */
    private List<String> check() {
        return switch (this) {
            case PYTHON -> List.of("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 9))");
            case JAVASCRIPT ->
                List.of("node", "-e", "process.exit(Number.parseInt(process.versions.node) < 18 ? 1 : 0)");
            case JAVA -> List.of(java(), "-version");
        };
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    boolean canRun() throws InterruptedException {
        try {
            return ProcessResult.run(check(), Map.of()).code() == 0;
        } catch (IOException e) {
            return false; // it is not on PATH
        }
    }

    private Path folder() {
        return CLIENTS.resolve(language);
    }

    /** The first program of the README. */
    String example() throws IOException {
        Matcher block = Pattern.compile("(?ms)^```" + language + "\\n(.*?)^```$")
                .matcher(Files.readString(folder().resolve("README.md")));
        if (!block.find()) {
            throw new IllegalStateException("the README has no program in " + language);
        }
        return block.group(1);
    }

    /** Runs the program of the README in a folder of its own. */
    ProcessResult runExample(Path folder, String address, String key) throws IOException, InterruptedException {
        Map<String, String> environment = new HashMap<>(Map.of("MILLRACE_URL", address, "MILLRACE_KEY", key));
        Path file = folder.resolve(
                switch (this) {
                    case PYTHON -> "example.py";
                    case JAVASCRIPT -> "example.mjs";
                    case JAVA -> "Example.java";
                });
        Files.writeString(file, example());
        return switch (this) {
            case PYTHON -> {
                environment.put("PYTHONPATH", folder().toString());
                environment.put("PYTHONDONTWRITEBYTECODE", "1");
                yield ProcessResult.run(List.of("python3", file.toString()), environment);
            }
            case JAVASCRIPT -> {
                Files.createSymbolicLink(
                        Files.createDirectories(folder.resolve("node_modules")).resolve("millrace-client"), folder());
                yield ProcessResult.run(List.of("node", file.toString()), environment);
            }
            case JAVA -> {
                String library = Path.of(Client.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .getPath())
                        .toString();
                yield ProcessResult.run(
                        List.of(java(), "-XX:TieredStopAtLevel=1", "-cp", library, file.toString()), environment);
            }
        };
    }

    /** The command of the library's own tests; those of Java are part of the build. */
    List<String> ownTests() {
        return switch (this) {
            case PYTHON ->
                List.of(
                        "python3",
                        "-B",
                        "-m",
                        "unittest",
                        "discover",
                        "-s",
                        folder().resolve("tests").toString(),
                        "-t",
                        folder().toString());
            case JAVASCRIPT ->
                List.of(
                        "node",
                        "--test",
                        "--test-reporter=tap",
                        folder().resolve("test/millrace.test.js").toString());
            case JAVA -> throw new IllegalStateException("Maven runs them");
        };
    }
}
