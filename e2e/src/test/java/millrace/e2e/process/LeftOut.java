package millrace.e2e.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What tests leave out because this machine lacks something: the last lines of the build say it. */
public final class LeftOut {
    private LeftOut() {}

    /** @param name of what is left out, as a file's name */
    public static void say(String name, String sentence) throws IOException {
        Files.writeString(Files.createDirectories(Path.of("target", "left-out")).resolve(name), sentence + "\n");
    }
}
