package millrace.gateway.server.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import millrace.gateway.TestGateway;
import millrace.gateway.settings.ConnectionSettings;
import millrace.gateway.settings.TlsSettings;
import millrace.testing.TestKafka;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What a connection may take, and how it is protected. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConnectionHandlersIT {
    private static final Duration SHORT = Duration.ofMillis(700);
    private static final ConnectionSettings SHORT_TIMEOUTS =
            new ConnectionSettings(2048, SHORT, SHORT.multipliedBy(2), Duration.ofSeconds(30));
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String HEAD = "POST /v3/batch/demographics/request-validate HTTP/1.1\r\nHost: a\r\napi-key: "
            + TestGateway.KEY + "\r\nContent-Type: application/json\r\nContent-Length: ";

    @TempDir
    static Path folder;

    private TestKafka kafka;
    /** With short timeouts. */
    private TestGateway gateway;

    @BeforeAll
    void start() {
        kafka = TestKafka.withTopics(1);
        gateway = TestGateway.start(kafka.bootstrapServers(), folder, TlsSettings.NONE, SHORT_TIMEOUTS);
    }

    @AfterAll
    void stop() {
        gateway.close();
        kafka.close();
    }

    @Test
    void whoSendsAByteNowAndThenIsCutOff() throws Exception {
        drips(gateway, "");
        drips(gateway, "GET /health/liveness HTTP/1.1\r\nX-Long: ");
        drips(gateway, HEAD + "1000\r\n\r\n{");
        try (Socket idle = connect(gateway)) {
            assertThat(idle.getInputStream().read()).isEqualTo(-1);
        }
        // On a kept connection the next request has its time too.
        try (Socket socket = connect(gateway)) {
            for (int i = 0; i < 2; i++) {
                send(socket, "GET /health/liveness HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(read(socket.getInputStream())).startsWith("HTTP/1.1 200");
            }
        }
        assertThat(gateway.get("/v3/batch/credits").statusCode()).isEqualTo(200);
    }

    @Test
    void headersThatAreTooLargeAreRefused() {
        var large = gateway.send("GET", "/v3/batch/credits", "k".repeat(5000), null, java.util.Map.of());
        assertThat(large.statusCode()).isEqualTo(431);
        assertThat(gateway.get("/health/liveness?" + "a".repeat(5000)).statusCode())
                .isEqualTo(414);
    }

    @Test
    void answersForbidWhatBrowsersMightMakeOfThem() {
        for (String path : new String[] {"/v3/batch/credits", "/v3/batch/nothing", "/docs", "/health/liveness"}) {
            var headers = gateway.get(path).headers();
            assertThat(headers.firstValue("X-Content-Type-Options")).contains("nosniff");
            assertThat(headers.firstValue("X-Frame-Options")).contains("DENY");
            assertThat(headers.firstValue("Referrer-Policy")).contains("no-referrer");
            assertThat(headers.firstValue("Server")).isEmpty();
        }
        assertThat(gateway.get("/v3/batch/credits").headers().firstValue("Cache-Control"))
                .contains("no-store");
    }

    @Test
    void speaksTlsWhereItHasAKey() throws Exception {
        Path keyStore = folder.resolve("gateway.p12");
        keytool(keyStore);
        try (TestGateway secure = TestGateway.start(
                        kafka.bootstrapServers(), folder, new TlsSettings(keyStore, "secret"), TestGateway.CONNECTION);
                HttpClient client =
                        HttpClient.newBuilder().sslContext(trusting(keyStore)).build()) {
            assertThat(secure.address().getScheme()).isEqualTo("https");
            URI address = URI.create("https://localhost:" + secure.address().getPort() + "/health/liveness");
            var answer = client.send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(answer.headers().firstValue("Strict-Transport-Security")).isPresent();
            assertThat(answer.sslSession()).hasValueSatisfying(session -> assertThat(session.getProtocol())
                    .isEqualTo("TLSv1.3"));
            var plain = HttpRequest.newBuilder(URI.create(address.toString().replace("https", "http")))
                    .build();
            assertThatThrownBy(() -> client.send(plain, HttpResponse.BodyHandlers.ofString()))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void aCallThatIsUnderWayEndsBeforeTheGatewayDoes() throws Exception {
        TestGateway leaving = TestGateway.start(kafka.bootstrapServers(), folder);
        byte[] body = TestGateway.REQUEST.getBytes(StandardCharsets.UTF_8);
        int port = leaving.address().getPort();
        CompletableFuture<Void> closed;
        try (Socket socket = connect(leaving)) {
            send(socket, HEAD + body.length + "\r\n\r\n");
            socket.getOutputStream().write(body, 0, 10);
            socket.getOutputStream().flush();
            await().until(leaving::ready);
            closed = CompletableFuture.runAsync(leaving::close);
            await().atMost(TIMEOUT).until(() -> !leaving.ready());
            assertThat(closed).isNotDone();
            socket.getOutputStream().write(body, 10, body.length - 10);
            socket.getOutputStream().flush();
            assertThat(read(socket.getInputStream())).startsWith("HTTP/1.1 200");
        }
        closed.get(TIMEOUT.toSeconds(), java.util.concurrent.TimeUnit.SECONDS);
        assertThatThrownBy(() -> connect(port)).isInstanceOf(IOException.class);
    }

    /** Sends a byte now and then, for ever, and is cut off. */
    private static void drips(TestGateway gateway, String begin) throws IOException {
        try (Socket socket = connect(gateway)) {
            send(socket, begin);
            await(begin)
                    .atMost(TIMEOUT)
                    .pollInterval(Duration.ofMillis(100))
                    .ignoreExceptions()
                    .until(() -> isCutOff(socket));
        }
    }

    private static boolean isCutOff(Socket socket) throws IOException {
        try {
            send(socket, "G");
            socket.setSoTimeout(20);
            return socket.getInputStream().read() < 0;
        } catch (java.net.SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    private static Socket connect(TestGateway gateway) throws IOException {
        return connect(gateway.address().getPort());
    }

    private static Socket connect(int port) throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout((int) TIMEOUT.toMillis());
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
    }

    /** What comes at once. */
    private static String read(InputStream in) throws IOException {
        byte[] buffer = new byte[8192];
        int length = in.read(buffer);
        return length < 0 ? "" : new String(buffer, 0, length, StandardCharsets.UTF_8);
    }

    private static void keytool(Path keyStore) throws IOException, InterruptedException {
        Files.deleteIfExists(keyStore);
        int code = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "gateway",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=dns:localhost",
                        "-validity",
                        "30",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        keyStore.toString(),
                        "-storepass",
                        "secret")
                .inheritIO()
                .start()
                .waitFor();
        assertThat(code).isZero();
    }

    private static SSLContext trusting(Path keyStore) throws Exception {
        KeyStore trusted = KeyStore.getInstance(keyStore.toFile(), "secret".toCharArray());
        KeyStore certificates = KeyStore.getInstance("PKCS12");
        certificates.load(null, null);
        certificates.setCertificateEntry("gateway", trusted.getCertificate("gateway"));
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(certificates);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, factory.getTrustManagers(), null);
        return context;
    }
}
