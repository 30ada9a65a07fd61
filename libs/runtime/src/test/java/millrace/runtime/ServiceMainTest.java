package millrace.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
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
                new PrintStream(err, true, StandardCharsets.UTF_8));
        assertThat(out.toString(StandardCharsets.UTF_8)).startsWith("Millrace ").hasLineCount(1);
        assertThat(err.toString(StandardCharsets.UTF_8)).isEmpty();
        assertThat(code).isZero();
    }
}
