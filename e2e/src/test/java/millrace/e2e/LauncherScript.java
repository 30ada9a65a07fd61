package millrace.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The script {@code millrace}, in a folder that stands for the repository, beside what is built here. */
final class LauncherScript {
    private LauncherScript() {}

    /** The script; made once per folder. */
    static String copyTo(Path home) throws IOException {
        Path app = Files.createDirectories(home.resolve("standalone/target/app"));
        Path built =
                Path.of(System.getProperty("app", "../standalone/target/app")).toAbsolutePath();
        if (!Files.exists(app.resolve("built"))) {
            Files.createFile(app.resolve("built"));
            Files.createSymbolicLink(app.resolve("lib"), built.resolve("lib"));
            Files.createSymbolicLink(app.resolve("millrace"), built.resolve("millrace"));
            Files.copy(built.resolve("../../../millrace"), home.resolve("millrace"));
        }
        return home.resolve("millrace").toString();
    }
}
