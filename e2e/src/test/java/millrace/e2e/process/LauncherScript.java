package millrace.e2e.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Copies the script {@code millrace} to a folder that stands in for the repository or a release, with the build of this
 * module.
 */
public final class LauncherScript {
    private LauncherScript() {}

    /** Creates, once per folder, the script of a repository where everything is built; returns its path. */
    public static String copyTo(Path home) throws IOException {
        Path app = home.resolve("standalone/target/app");
        if (!Files.exists(app)) {
            copyTo(home, app);
            Files.createFile(app.resolve("built"));
        }
        return home.resolve("millrace").toString();
    }

    /** The script, as in a release. */
    public static String releaseTo(Path home) throws IOException {
        copyTo(home, home.resolve("app"));
        return home.resolve("millrace").toString();
    }

    /** An environment in which there is a JDK, and no Maven. Makes a folder {@code bin}. */
    public static Map<String, String> withoutMaven(Path home) throws IOException {
        Path tools = Files.createDirectory(home.resolve("bin"));
        for (String tool : List.of("dirname", "readlink", "grep", "head", "find", "cat")) {
            Path found = Files.exists(Path.of("/bin", tool)) ? Path.of("/bin", tool) : Path.of("/usr/bin", tool);
            Files.createSymbolicLink(tools.resolve(tool), found);
        }
        return Map.of("PATH", tools.toString(), "JAVA_HOME", System.getProperty("java.home"));
    }

    private static void copyTo(Path home, Path app) throws IOException {
        Path built =
                Path.of(System.getProperty("app", "../standalone/target/app")).toAbsolutePath();
        Files.createDirectories(app);
        Files.createSymbolicLink(app.resolve("lib"), built.resolve("lib"));
        Files.createSymbolicLink(app.resolve("millrace"), built.resolve("millrace"));
        Files.copy(built.resolve("../../../millrace"), home.resolve("millrace"));
    }
}
