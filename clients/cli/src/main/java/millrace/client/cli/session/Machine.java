package millrace.client.cli.session;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import millrace.client.cli.output.Terminal;

/**
 * What a command sees of the machine that it runs on.
 *
 * @param environment variables
 */
public record Machine(
        Map<String, String> environment,
        InputStream in,
        PrintStream out,
        PrintStream err,
        Terminal terminal,
        Waiting waiting) {

    /** This process, with its terminal. */
    public static Machine here() {
        Map<String, String> environment = System.getenv();
        return new Machine(
                environment,
                System.in,
                utf8(FileDescriptor.out),
                utf8(FileDescriptor.err),
                Terminal.of(environment),
                Waiting.system());
    }

    /** Answers are UTF-8 whatever the locale is. */
    private static PrintStream utf8(FileDescriptor stream) {
        return new PrintStream(new FileOutputStream(stream), true, StandardCharsets.UTF_8);
    }

    /** The folder for settings of this user. */
    public Path settingsFolder() {
        String xdg = environment.getOrDefault("XDG_CONFIG_HOME", "");
        Path folder = xdg.isEmpty()
                ? Path.of(environment.getOrDefault("HOME", System.getProperty("user.home")), ".config")
                : Path.of(xdg);
        return folder.resolve("millrace");
    }
}
