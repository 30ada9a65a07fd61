package millrace.e2e.docs;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;

/** A shell that tests type commands into. */
final class ShellTerminal implements AutoCloseable {
    private static final String MARK = "\u0001typed ";
    /** Without a character: a program that works says so. */
    private static final Duration SILENCE = Duration.ofSeconds(90);

    private final Process shell;
    private final OutputStream keyboard;
    private final StringBuilder screen = new StringBuilder();
    private volatile long printedAt = System.nanoTime();
    private int typed;

    private ShellTerminal(Process shell) {
        this.shell = shell;
        this.keyboard = shell.getOutputStream();
        Thread.ofVirtual().start(this::show);
    }

    static ShellTerminal open(Path folder, Map<String, String> environment) throws IOException {
        var builder = new ProcessBuilder("bash", "--noprofile", "--norc")
                .directory(folder.toFile())
                .redirectErrorStream(true);
        builder.environment().putAll(environment);
        return new ShellTerminal(builder.start());
    }

    /** Types lines and returns at once. */
    void start(String lines) throws IOException {
        printedAt = System.nanoTime();
        keyboard.write(lines.getBytes(StandardCharsets.UTF_8));
        keyboard.flush();
    }

    /** Types lines, waits until they are done, and returns their output. */
    String run(String lines) throws IOException {
        int from = screen().length();
        String mark = MARK + ++typed;
        start(lines + "\necho '" + mark + "'\n");
        await(mark);
        String all = screen();
        return all.substring(from, all.indexOf(mark));
    }

    void await(String text) {
        Awaitility.await(text)
                .forever()
                .pollInterval(Duration.ofMillis(20))
                .until(() -> screen().contains(text) || !shell.isAlive() || isSilent());
        if (!screen().contains(text)) {
            throw new AssertionError("never printed " + text + ":\n" + screen());
        }
    }

    private boolean isSilent() {
        return System.nanoTime() - printedAt > SILENCE.toNanos();
    }

    private String screen() {
        synchronized (screen) {
            return screen.toString();
        }
    }

    @Override
    public void close() {
        shell.descendants().forEach(ProcessHandle::destroyForcibly);
        shell.destroyForcibly();
    }

    private void show() {
        try (var reader = new BufferedReader(new InputStreamReader(shell.getInputStream(), StandardCharsets.UTF_8))) {
            char[] some = new char[4096];
            for (int n = reader.read(some); n >= 0; n = reader.read(some)) {
                printedAt = System.nanoTime();
                synchronized (screen) {
                    screen.append(some, 0, n);
                }
            }
        } catch (IOException e) {
            // the shell has ended
        }
    }
}
