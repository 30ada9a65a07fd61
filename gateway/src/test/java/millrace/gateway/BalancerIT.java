package millrace.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.contracts.Json;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The balancer of the compose file, before two servers that fail. Left out where haproxy is not installed. */
@EnabledIf("isInstalled")
class BalancerIT {
    private static final Path CONFIGURATION = Path.of("..", "docker", "haproxy", "haproxy.cfg");
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
    private static final String ID = "X-Request-Id";

    @TempDir
    private Path folder;

    private final AtomicInteger failures = new AtomicInteger();
    /** Names of the servers that were asked, and the lengths of the bodies that they got. */
    private final List<String> asked = new CopyOnWriteArrayList<>();

    private volatile boolean ready = true;
    private volatile boolean silent;
    private ServerSocket first;
    private ServerSocket second;
    private Process haproxy;
    private int port;

    static boolean isInstalled() {
        return Arrays.stream(System.getenv("PATH").split(":", -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "haproxy")));
    }

    private static ServerSocket listening() throws IOException {
        return new ServerSocket(0, 50, LOOPBACK);
    }

    @BeforeEach
    void start() throws IOException {
        first = listening();
        second = listening();
        Thread.ofVirtual().start(() -> serve(first, "first"));
        Thread.ofVirtual().start(() -> serve(second, "second"));
        int[] ports = new int[3];
        for (int i = 0; i < ports.length; i++) {
            try (ServerSocket free = listening()) {
                ports[i] = free.getLocalPort();
            }
        }
        port = ports[0];
        String configuration = Files.readString(CONFIGURATION)
                .replaceAll("gateway-1:808[01]", "127.0.0.1:" + first.getLocalPort())
                .replaceAll("gateway-2:808[01]", "127.0.0.1:" + second.getLocalPort())
                .replace("check port 8080", "check port " + first.getLocalPort())
                .replace("bind :8080", "bind 127.0.0.1:" + ports[0])
                .replace("bind :8081", "bind 127.0.0.1:" + ports[1])
                .replace("bind :8404", "bind 127.0.0.1:" + ports[2])
                .replace("timeout server 75s", "timeout server 1s");
        Path file = Files.writeString(folder.resolve("haproxy.cfg"), configuration);
        haproxy = new ProcessBuilder("haproxy", "-db", "-f", file.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        await().until(() -> status("/v3/batch/credits") == 200);
        asked.clear();
    }

    @AfterEach
    void stop() throws IOException, InterruptedException {
        haproxy.destroy();
        haproxy.waitFor();
        first.close();
        second.close();
    }

    /** Columns: method, path, whether there is an Idempotency-Key, bytes of the body, the status. */
    @ParameterizedTest
    @CsvSource({
        "GET, /v3/batch/credits, false, 0, 200",
        "POST, /v3/batch/keywords/request-validate, false, 10, 200",
        "POST, /v3/batch/keywords/request-report, true, 10, 200",
        "POST, /v3/batch/keywords/request-report, true, 50000, 200",
        "POST, /v3/batch/keywords/request-report, true, 200000, 502",
        "POST, /v3/batch/keywords/request-report, false, 10, 502",
        "POST, /v3/batch/cancel/x, true, 10, 502",
        "DELETE, /v3/batch/keys/x, true, 0, 502",
    })
    void triesAtTheOtherGatewayWhatMayBeDoneTwice(String method, String path, boolean keyed, int bytes, int status)
            throws Exception {
        failures.set(1);
        HttpRequest.Builder request = to(path).method(method, HttpRequest.BodyPublishers.ofString("x".repeat(bytes)));
        HttpResponse<String> answer = send(keyed ? request.header("Idempotency-Key", "k") : request);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
        if (status == 200) {
            assertThat(asked).hasSize(2).allMatch(server -> server.endsWith(" " + bytes));
            assertThat(asked)
                    .extracting(server -> server.split(" ", 2)[0])
                    .containsExactlyInAnyOrder("first", "second");
        } else {
            assertThat(asked).hasSize(1);
            refused(answer, "bad_gateway");
        }
    }

    @Test
    void saysThatNoGatewayIsReady() throws Exception {
        ready = false;
        await().until(() -> status("/v3/batch/credits") == 503);
        refused(send(to("/v3/batch/credits")), "no_gateway");
    }

    @Test
    void saysThatAGatewayDoesNotAnswerInTime() throws Exception {
        silent = true;
        refused(send(to("/v3/batch/credits")), "gateway_timeout");
    }

    @Test
    void callsARequestAsItsClientDoes() throws Exception {
        silent = true;
        assertThat(send(to("/v3/batch/credits").header(ID, "mine-1")).headers().allValues(ID))
                .containsExactly("mine-1");
    }

    private HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    }

    /** On a new connection. One that was used before the balancer closes without an answer, if a server does. */
    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        }
    }

    private int status(String path) throws InterruptedException {
        try {
            return send(to(path)).statusCode();
        } catch (IOException e) {
            return 0;
        }
    }

    private static void refused(HttpResponse<String> answer, String code) throws IOException {
        JsonNode problem = Json.MAPPER.readTree(answer.body());
        assertThat(problem.path("code").asText()).isEqualTo(code);
        assertThat(problem.path("status").asInt()).isEqualTo(answer.statusCode());
        assertThat(problem.path("errors").path(0).asText()).isNotEmpty();
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(answer.headers().firstValue("Retry-After")).contains("1");
        assertThat(answer.headers().allValues(ID))
                .containsExactly(problem.path("request_id").asText())
                .doesNotContain("");
    }

    private void serve(ServerSocket server, String name) {
        try {
            while (true) {
                Socket connection = server.accept();
                Thread.ofVirtual().start(() -> serve(connection, name));
            }
        } catch (IOException e) {
            // The test has ended.
        }
    }

    private void serve(Socket connection, String name) {
        try (connection;
                var in = new BufferedReader(
                        new InputStreamReader(connection.getInputStream(), StandardCharsets.ISO_8859_1))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                boolean check = line.contains("/health/readiness");
                int length = 0;
                for (String header = in.readLine(); header != null && !header.isEmpty(); header = in.readLine()) {
                    if (header.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                        length = Integer.parseInt(
                                header.substring("content-length:".length()).strip());
                    }
                }
                for (int left = length; left > 0; left--) {
                    in.read();
                }
                if (check ? !ready : isLeftUnanswered(name + " " + length)) {
                    return;
                }
                connection
                        .getOutputStream()
                        .write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            }
        } catch (IOException e) {
            // The balancer has closed the connection.
        }
    }

    private boolean isLeftUnanswered(String call) {
        asked.add(call);
        if (silent) {
            await().until(() -> !haproxy.isAlive());
        }
        return failures.getAndUpdate(n -> Math.max(0, n - 1)) > 0;
    }
}
