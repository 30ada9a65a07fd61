package millrace.runtime.management;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.Counter;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import millrace.runtime.settings.ManagementSettings;
import millrace.runtime.settings.SettingsException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ManagementServerTest {
    private static final ManagementSettings ANY_PORT = new ManagementSettings("127.0.0.1", 0, Duration.ZERO);

    private final List<String> said = new ArrayList<>();
    private final Mill mill = new Mill();
    private ManagementServer management;

    private final class Mill implements Health {
        volatile boolean alive = true;
        volatile boolean water = true;

        @Override
        public boolean alive() {
            return alive;
        }

        @Override
        public SequencedMap<String, Boolean> checks() {
            return new LinkedHashMap<>(Map.of("water", water));
        }

        @Override
        public void leave() {
            said.add("leave");
        }
    }

    @BeforeEach
    void open() {
        management = ManagementServer.start(ANY_PORT);
    }

    @AfterEach
    void close() {
        management.close();
    }

    @Test
    void saysWhatIsTrueAtThatMoment() throws Exception {
        assertThat(get("/health/live").statusCode()).isEqualTo(200);
        // Nobody is there yet who could work.
        assertThat(get("/health/ready").statusCode()).isEqualTo(503);
        management.add("mill", mill);
        HttpResponse<String> ready = get("/health/ready");
        assertThat(ready.statusCode()).isEqualTo(200);
        assertThat(ready.body()).isEqualTo("{\"status\":\"UP\",\"services\":{\"mill\":{\"water\":true}}}");
        mill.water = false;
        ready = get("/health/ready");
        assertThat(ready.statusCode()).isEqualTo(503);
        assertThat(ready.body()).isEqualTo("{\"status\":\"DOWN\",\"services\":{\"mill\":{\"water\":false}}}");
        assertThat(get("/health/live").statusCode()).isEqualTo(200);
        assertThat(get("/metrics").body())
                .contains("millrace_build_info{version=\"")
                .contains("millrace_ready{service=\"mill\"} 0.0")
                .contains("millrace_alive{service=\"mill\"} 1.0")
                .contains("millrace_check{check=\"water\",service=\"mill\"} 0.0");
        mill.alive = false;
        assertThat(get("/health/live").statusCode()).isEqualTo(503);
        assertThat(get("/nothing").statusCode()).isEqualTo(404);
    }

    @Test
    void isReadyWhenItSaysSo() throws Exception {
        assertThat(management.awaitReady(Duration.ZERO)).isFalse();
        mill.water = false;
        management.add("mill", mill);
        assertThat(management.awaitReady(Duration.ofMillis(20))).isFalse();
        assertThat(management.failingChecks()).containsExactly("mill.water");
        Thread.ofVirtual().start(() -> mill.water = true);
        assertThat(management.awaitReady(Duration.ofSeconds(30))).isTrue();
        assertThat(get("/health/ready").statusCode()).isEqualTo(200);
        assertThat(management.failingChecks()).isEmpty();
        management.drain();
        assertThat(management.ready()).isFalse();
    }

    @Test
    void showsWhatIsMeasured() throws Exception {
        Counter.builder("millrace.grain").register(management.registry()).increment(3);
        HttpResponse<String> metrics = get("/metrics");
        assertThat(metrics.headers().firstValue("Content-Type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("text/plain; version=0.0.4"));
        assertThat(metrics.body())
                .contains("# TYPE millrace_grain_total counter", "millrace_grain_total 3.0")
                .contains("jvm_memory_used_bytes", "process_uptime_seconds", "jvm_threads_live_threads");
    }

    @Test
    void stopsInOrder() throws Exception {
        AutoCloseable all = management.startService(() -> {
            management.add("mill", mill);
            return () -> {
                said.add("closed, ready " + get("/health/ready").statusCode());
            };
        });
        assertThat(get("/health/ready").statusCode()).isEqualTo(200);
        all.close();
        assertThat(said).containsExactly("leave", "closed, ready 503");
        assertThatThrownBy(() -> get("/health/ready")).isInstanceOf(IOException.class);
    }

    @Test
    void aPortThatIsTakenIsOneLine() {
        var taken = new ManagementSettings("127.0.0.1", management.port(), Duration.ZERO);
        assertThatThrownBy(() -> ManagementServer.start(taken))
                .isInstanceOf(SettingsException.class)
                .hasMessageMatching("management.port \\d+ of 127.0.0.1 cannot be used: Address already in use");
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + management.port() + path);
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        }
    }
}
