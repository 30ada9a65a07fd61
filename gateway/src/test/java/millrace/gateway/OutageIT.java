package millrace.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import millrace.broker.EmbeddedKafka;
import millrace.contracts.topics.Topics;
import millrace.runtime.kafka.TopicCreation;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker that comes late, goes, and comes back, on the same port. */
class OutageIT {
    private static final String REPORT = "/v3/batch/demographics/request-report";
    private static final Map<String, String> HEADERS =
            Map.of("Content-Type", "application/json", "Idempotency-Key", "outage");
    private static final byte[] REQUEST = TestGateway.REQUEST.getBytes(StandardCharsets.UTF_8);

    @TempDir
    Path folder;

    @Test
    void answersInTimeWhateverKafkaDoes() throws IOException, InterruptedException, ExecutionException {
        int port = freePort();
        String servers = "127.0.0.1:" + port;
        try (TestGateway gateway =
                TestGateway.startUnready(servers, folder.resolve("reports"), Duration.ofSeconds(3))) {
            isNotReady(gateway);
            HttpResponse<String> early = gateway.get("/v3/batch/credits");
            assertThat(early.statusCode()).isEqualTo(503);
            assertThat(early.headers().firstValue("Retry-After")).isPresent();

            EmbeddedKafka kafka = EmbeddedKafka.start(folder.resolve("kafka"), port, Map.of());
            TopicCreation.ensure(KafkaSettings.local(servers, 3, "test"), Topics.ALL);
            await().atMost(Duration.ofSeconds(20)).until(gateway::ready);
            // Before any processor has run: the opening credits are in the log, and the report comes after them.
            assertThat(gateway.get("/v3/batch/credits").body()).contains(":10000}");
            assertThat(gateway.post(REPORT, TestGateway.REQUEST).statusCode()).isEqualTo(200);

            kafka.close();
            isUnavailable(gateway);

            kafka = EmbeddedKafka.start(folder.resolve("kafka"), port, Map.of());
            try {
                await().atMost(Duration.ofSeconds(20)).until(gateway::ready);
                // The repetition of what was not acknowledged is one report.
                HttpResponse<String> repeated = await().atMost(Duration.ofSeconds(20))
                        .until(() -> submit(gateway), answer -> answer.statusCode() == 200);
                HttpResponse<String> again = submit(gateway);
                assertThat(again.body()).isEqualTo(repeated.body());
                isReadyWithoutTransactions(servers);
            } finally {
                kafka.close();
            }
        }
    }

    /** One that has nothing new to say about accounts needs none: it serves. */
    private void isReadyWithoutTransactions(String servers) throws InterruptedException, ExecutionException {
        var state = new ConfigResource(ConfigResource.Type.TOPIC, "__transaction_state");
        var never = new AlterConfigOp(new ConfigEntry("min.insync.replicas", "2"), AlterConfigOp.OpType.SET);
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            admin.incrementalAlterConfigs(Map.of(state, List.of(never))).all().get();
        }
        try (TestGateway another = TestGateway.startUnready(servers, folder.resolve("others"), Duration.ofSeconds(1))) {
            await().atMost(Duration.ofSeconds(60)).until(another::ready);
            assertThat(another.post(REPORT, TestGateway.REQUEST).statusCode()).isEqualTo(200);
        }
    }

    private static void isNotReady(TestGateway gateway) {
        assertThat(gateway.get("/health/liveness", null).statusCode()).isEqualTo(200);
        assertThat(gateway.get("/health/readiness", null).statusCode()).isEqualTo(503);
    }

    private static void isUnavailable(TestGateway gateway) {
        long start = System.nanoTime();
        CompletableFuture<HttpResponse<String>> submitted = CompletableFuture.supplyAsync(() -> submit(gateway));
        // Meanwhile what needs no Kafka is not delayed.
        assertThat(timed(gateway, "/v3/batch/credits")).isLessThan(Duration.ofMillis(500));
        assertThat(timed(gateway, "/v3/batch/report-history")).isLessThan(Duration.ofMillis(500));
        HttpResponse<String> unknown = submitted.join();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(4));
        assertThat(unknown.statusCode()).isEqualTo(503);
        assertThat(unknown.headers().firstValue("Retry-After")).isPresent();
        assertThat(unknown.body()).contains("\"report_id\":\"");
        assertThat(gateway.get("/v3/batch/request-status/" + UUID.randomUUID()).statusCode())
                .isEqualTo(503);
        await().atMost(Duration.ofSeconds(2)).until(() -> !gateway.ready());
        isNotReady(gateway);
        assertThat(gateway.get("/v3/batch/credits").statusCode()).isEqualTo(200);
    }

    private static Duration timed(TestGateway gateway, String path) {
        long start = System.nanoTime();
        assertThat(gateway.get(path).statusCode()).isEqualTo(200);
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private static HttpResponse<String> submit(TestGateway gateway) {
        return gateway.send("POST", REPORT, TestGateway.KEY, REQUEST, HEADERS);
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
