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
        return runs(check());
    }

    /** Whether this machine has what installs the library. */
    boolean canBeInstalled() throws InterruptedException {
        return switch (this) {
            case PYTHON -> runs(List.of("python3", "-c", "import ensurepip, venv"));
            case JAVASCRIPT -> runs(List.of("npm", "--version"));
            case JAVA -> true;
        };
    }

    private static boolean runs(List<String> command) throws InterruptedException {
        try {
            return ProcessResult.run(command, Map.of()).code() == 0;
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

    /**
     * Installs the library into an empty project, as the README says, and runs its program there.
     *
     * @throws IllegalStateException if the library cannot be installed
     */
    ProcessResult runInstalled(Path project, String address, String key) throws IOException, InterruptedException {
        Map<String, String> environment = Map.of("MILLRACE_URL", address, "MILLRACE_KEY", key);
        // A copy, since building it leaves files beside the sources.
        Path clone = Files.createDirectories(project.resolve("clone"));
        done(List.of("cp", "-r", CLIENTS.toString(), clone.toString()));
        String library = clone.resolve(installed()).toString();
        return switch (this) {
            case PYTHON -> {
                Path python = project.resolve("venv/bin/python");
                done(List.of("python3", "-m", "venv", project.resolve("venv").toString()));
                done(List.of(python.toString(), "-m", "pip", "install", "-q", library));
                Path program = Files.writeString(project.resolve("example.py"), example());
                yield ProcessResult.run(List.of(python.toString(), program.toString()), environment);
            }
            case JAVASCRIPT -> {
                Files.writeString(project.resolve("package.json"), "{\"private\":true}");
                done(List.of("npm", "--prefix", project.toString(), "install", "--no-audit", "--no-fund", library));
                Path common = Files.writeString(project.resolve("common.cjs"), """
                        const [major, minor] = process.versions.node.split('.').map(Number);
                        const loads = major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19);
                        if (loads && typeof require('millrace-client').Client !== 'function') process.exit(1);
                        """);
                done(List.of("node", common.toString()));
                Path program = Files.writeString(project.resolve("example.mjs"), example());
                yield ProcessResult.run(List.of("node", program.toString()), environment);
            }
            case JAVA -> throw new IllegalStateException("Maven installs it");
        };
    }

    /** The folder that the README installs. */
    private String installed() throws IOException {
        Matcher command = Pattern.compile("(?m)^(?:pip|npm) install \\./(\\S+)$")
                .matcher(Files.readString(folder().resolve("README.md")));
        if (!command.find()) {
            throw new IllegalStateException("the README does not install the library");
        }
        return command.group(1);
    }

    private static void done(List<String> command) throws IOException, InterruptedException {
        ProcessResult result = ProcessResult.run(command, Map.of());
        if (result.code() != 0) {
            throw new IllegalStateException(command + " ends with " + result);
        }
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
