package millrace.client.cli;

import io.millrace.client.Waiting;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import millrace.client.cli.output.Terminal;
import millrace.client.cli.session.Machine;

/** Types commands, and takes what they print. Pauses pass at once, and are remembered. */
final class Typed {
    private final Map<String, String> environment = new HashMap<>();
    private final List<Duration> pauses = Collections.synchronizedList(new ArrayList<>());
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private byte[] in = {};
    private Terminal terminal = Terminal.NONE;
    private boolean counted = true;
    private boolean head;
    private boolean full;

    /** @param home where settings are */
    Typed(Path home) {
        environment.put("HOME", home.toString());
    }

    Typed(Path home, TestService service) {
        this(home);
        environment.put("MILLRACE_URL", service.url());
        environment.put("MILLRACE_KEY", TestService.KEY);
    }

    Typed environment(String name, String value) {
        environment.put(name, value);
        return this;
    }

    Typed in(String text) {
        in = text.getBytes(StandardCharsets.UTF_8);
        return this;
    }

    Typed terminal(Terminal terminal) {
        this.terminal = terminal;
        return this;
    }

    /** However often a command tries again, its time is not over. */
    Typed pausesAreNotCounted() {
        counted = false;
        return this;
    }

    /** Whoever reads the output wants its first line and no more, as head -1. */
    Typed behindHead() {
        head = true;
        return this;
    }

    /** The output goes to a file on a full disk. */
    Typed toAFullDisk() {
        full = true;
        return this;
    }

    record Result(int code, String out, String err) {}

    Result run(String... arguments) {
        out.reset();
        err.reset();
        pauses.clear();
        int code = ClientMain.run(arguments, machine());
        return new Result(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /** On a thread of its own. */
    CompletableFuture<Result> start(String... arguments) {
        return CompletableFuture.supplyAsync(
                () -> run(arguments), task -> Thread.ofVirtual().start(task));
    }

    /** What is printed so far. */
    String printed() {
        return out.toString(StandardCharsets.UTF_8) + err.toString(StandardCharsets.UTF_8);
    }

    List<Duration> pauses() {
        return List.copyOf(pauses);
    }

    private Machine machine() {
        return new Machine(
                environment,
                new ByteArrayInputStream(in),
                new PrintStream(head || full ? new FirstLine(out, full) : out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                terminal,
                new Waiting() {
                    @Override
                    public long nanoTime() {
                        synchronized (pauses) {
                            return System.nanoTime()
                                    + pauses.stream()
                                            .mapToLong(Duration::toNanos)
                                            .sum();
                        }
                    }

                    @Override
                    public void pause(Duration duration) {
                        if (counted) {
                            pauses.add(duration);
                        } else {
                            LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
                        }
                    }
                });
    }

    private static final class FirstLine extends FilterOutputStream {
        private boolean closed;

        /** @param closed whether not even that is taken */
        FirstLine(OutputStream reader, boolean closed) {
            super(reader);
            this.closed = closed;
        }

        @Override
        public void write(int b) throws IOException {
            if (closed) {
                throw new IOException("Broken pipe");
            }
            out.write(b);
            closed = b == '\n';
        }
    }
}
