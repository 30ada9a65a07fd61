package millrace.runtime.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ServiceMainTest {
    @Test
    void saysItsVersionAndStartsNothing() {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        int code = ServiceMain.serve(
                "usage",
                new LinkedHashMap<>(),
                Map.of(),
                new String[] {"--version"},
                (settings, onFatal) -> {
                    throw new AssertionError("started");
                },
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                () -> {});
        assertThat(out.toString(StandardCharsets.UTF_8)).startsWith("Millrace ").hasLineCount(1);
        assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
        assertThat(code).isZero();
    }

    /** As where a thread hangs in a call that has a lock. */
    @Test
    void aServiceThatFailsAndCannotCloseEndsAllTheSame() throws Exception {
        Process process = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Hanging.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(1);
        } finally {
            process.destroyForcibly();
        }
    }

    /** Fails at once, and does not close. */
    static final class Hanging {
        private Hanging() {}

        public static void main(String[] arguments) {
            ServiceMain.run(
                    "usage",
                    new LinkedHashMap<>(),
                    Map.of(),
                    arguments,
                    (settings, onFatal) -> {
                        onFatal.accept(new IllegalStateException("a thread hangs"));
                        return () -> new CountDownLatch(1).await();
                    },
                    Duration.ofMillis(100));
        }
    }
}
