package millrace.client.cli.output;

import java.io.Console;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The terminal, if there is one.
 *
 * @param out whether the output is one
 * @param err whether the error stream is one
 * @param width in columns; where the output is none, more than any line has
 * @param colours whether to use them
 */
public record Terminal(boolean out, boolean err, int width, boolean colours) {
    /** No terminal: lines are as long as they are, and have no colours. */
    public static final Terminal NONE = new Terminal(false, false, Integer.MAX_VALUE, false);

    private static final int USUAL_WIDTH = 80;
    private static final int LEAST_WIDTH = 40;
    private static final int OUTPUT = 1;
    private static final int ERRORS = 2;

    /** That of this process. No colours where NO_COLOR is set, as https://no-color.org has it. */
    static Terminal of(Map<String, String> environment, boolean out, boolean err) {
        boolean plain = !environment.getOrDefault("NO_COLOR", "").isEmpty() || "dumb".equals(environment.get("TERM"));
        return new Terminal(out, err, out || err ? width(environment) : Integer.MAX_VALUE, out && !plain);
    }

    public static Terminal of(Map<String, String> environment) {
        return of(environment, isTerminal(OUTPUT), isTerminal(ERRORS));
    }

    public Terminal withoutColours() {
        return new Terminal(out, err, width, false);
    }

    /** The width of tables. */
    int outputWidth() {
        return out ? width : Integer.MAX_VALUE;
    }

    private static boolean isTerminal(int stream) {
        Path link = Path.of("/proc/self/fd/" + stream);
        if (Files.isSymbolicLink(link)) {
            try {
                String target = Files.readSymbolicLink(link).toString();
                return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty") || target.equals("/dev/console");
            } catch (IOException e) {
                return false;
            }
        }
        // Without /proc Java knows it only of input and output together.
        return Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
    }

    private static int width(Map<String, String> environment) {
        int given = number(environment.getOrDefault("COLUMNS", ""));
        return given > 0 ? Math.max(LEAST_WIDTH, given) : asked();
    }

    private static int asked() {
        try {
            Process stty = new ProcessBuilder("stty", "size")
                    .redirectInput(Path.of("/dev/tty").toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!stty.waitFor(1, TimeUnit.SECONDS)) {
                stty.destroyForcibly();
                return USUAL_WIDTH;
            }
            String size = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
            int columns = number(size.substring(size.indexOf(' ') + 1));
            return columns > 0 ? Math.max(LEAST_WIDTH, columns) : USUAL_WIDTH;
        } catch (IOException e) {
            return USUAL_WIDTH;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return USUAL_WIDTH;
        }
    }

    private static int number(String text) {
        return text.matches("[0-9]{1,5}") ? Integer.parseInt(text) : 0;
    }
}
