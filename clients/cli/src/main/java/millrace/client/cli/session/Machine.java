package millrace.client.cli.session;

import io.millrace.client.Waiting;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;
import millrace.client.cli.output.Terminal;
import millrace.runtime.cli.CliRunner;

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
                CliRunner.standardOutput(),
                CliRunner.errorStream(),
                Terminal.of(environment),
                new Waiting() {});
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
