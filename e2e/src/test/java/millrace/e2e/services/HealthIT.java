package millrace.e2e.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import millrace.broker.EmbeddedKafka;
import millrace.contracts.topics.ConsumerGroups;
import millrace.e2e.process.BatchApiClient;
import millrace.e2e.process.MainProcess;
import millrace.e2e.process.ServiceProcesses;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks readiness and liveness of each service when Kafka stops and starts, and when the service stops. {@code
 * LivenessTest} checks the times with a simulated clock.
 */
@Tag("thorough") // a process for each service
class HealthIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(90);

    @TempDir
    Path folder;

    @Test
    void readyIsWhoCanWork() throws Exception {
        EmbeddedKafka kafka = EmbeddedKafka.start(folder.resolve("kafka"));
        String servers = kafka.bootstrapServers();
        try (ServiceProcesses services = ServiceProcesses.prepare(folder.resolve("data"), servers)) {
            services.give("--management.port=0");
            MainProcess gateway = services.gateway("gateway-1", "--management.drain=3s");
            MainProcess processor = services.processor("processor-1", ServiceProcesses.address(gateway));
            MainProcess notifier = services.notifier("notifier-1");
            List.of(gateway, processor, notifier).forEach(service -> becomesReady(management(service)));
            leavesAtOnce(servers, notifier, "millrace-notifier");
            leavesAtOnce(
                    servers,
                    processor,
                    ConsumerGroups.PROCESSOR,
                    ConsumerGroups.RENDERERS,
                    ConsumerGroups.SMALL_RENDERERS);

            processor = services.processor("processor-1", ServiceProcesses.address(gateway));
            notifier = services.notifier("notifier-1");
            List<BatchApiClient> all = List.of(management(gateway), management(processor), management(notifier));
            all.forEach(HealthIT::becomesReady);
            kafka.close();
            all.forEach(service -> await().atMost(TIMEOUT)
                    .untilAsserted(() -> assertThat(service.get("/health/ready").code())
                            .as("%s", service.get("/health/ready").body())
                            .isEqualTo(503)));
            // A restart of the services would not help.
            assertThat(all)
                    .allSatisfy(service ->
                            assertThat(service.get("/health/live").code()).isEqualTo(200));
            kafka = EmbeddedKafka.start(folder.resolve("kafka"), port(servers), Map.of());
            all.forEach(HealthIT::becomesReady);
            answersUntilItGoes(gateway, services.api(gateway));
        } finally {
            kafka.close();
        }
    }

    private static void becomesReady(BatchApiClient service) {
        await().atMost(TIMEOUT)
                .untilAsserted(() -> assertThat(service.get("/health/ready").code())
                        .as("%s", service.get("/health/ready").body())
                        .isEqualTo(200));
    }

    /** A stopped service leaves its groups before its session expires. */
    private static void leavesAtOnce(String servers, MainProcess service, String... groups) throws Exception {
        assertThat(service.stop()).as(service.output()).isZero();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            assertThat(admin.describeConsumerGroups(List.of(groups)).all().get(30, TimeUnit.SECONDS))
                    .allSatisfy((name, group) -> assertThat(group.members()).isEmpty());
        }
    }

    /** While it drains, the gateway still serves clients that have not noticed that it is not ready. */
    private static void answersUntilItGoes(MainProcess gateway, BatchApiClient api) throws Exception {
        BatchApiClient management = management(gateway);
        CompletableFuture<Integer> stopped = CompletableFuture.supplyAsync(() -> {
            try {
                return gateway.stop();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        await().atMost(TIMEOUT)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> management.get("/health/ready").code() == 503);
        assertThat(api.get("/health/readiness").code()).isEqualTo(503);
        assertThat(api.get("/v3/batch/credits").code()).isEqualTo(200);
        assertThat(stopped).isNotDone();
        assertThat(stopped.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                .as(gateway.output())
                .isZero();
    }

    private static BatchApiClient management(MainProcess service) {
        return new BatchApiClient(service.printed("metrics=(http://[^/]+)/metrics"), "", HttpClient.newHttpClient());
    }

    private static int port(String server) {
        return Integer.parseInt(server.substring(server.lastIndexOf(':') + 1));
    }
}
