package millrace.e2e.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import millrace.e2e.data.DemoRequests;
import millrace.e2e.process.BatchApiClient;
import millrace.e2e.process.MainProcess;
import millrace.e2e.process.ServiceProcesses;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One gateway has a catalog folder, and the other services do not. */
@Tag("thorough") // a process for each service
class DifferentCatalogsIT {
    private static final Duration TIMEOUT = Duration.ofSeconds(90);
    private static final String MORE = """
            extends: demographics
            metrics:
              - name: demographics_loyalty
                type: double
                unit: fraction
                meaning: Share of visitors that come back, from 0 to 1
                granularities: [monthly]
                categories: [web_desktop_data]
            """;

    @Test
    void whoLacksAMetricOfARequestIsNotReady(@TempDir Path folder) throws Exception {
        Path catalog = Files.createDirectories(folder.resolve("catalog"));
        Files.writeString(catalog.resolve("demographics.yaml"), MORE);
        try (ServiceProcesses services = ServiceProcesses.prepare(folder.resolve("data"))) {
            services.give("--management.port=0");
            MainProcess more = services.gateway("gateway-1", "--storage.catalog=" + catalog);
            MainProcess less = services.gateway("gateway-2");
            MainProcess processor = services.processor("processor-1", ServiceProcesses.address(more));
            BatchApiClient api = services.api(more);
            services.api(less);
            await("processor").atMost(TIMEOUT).until(() -> readiness(processor).code() == 200);

            String known = api.submit("demographics", DemoRequests.small(1));
            assertThat(api.ended(known).text("status")).isEqualTo("complete");
            assertThat(readiness(less).code()).isEqualTo(200);
            assertThat(readiness(processor).code()).isEqualTo(200);
            long credits = api.remainingCredits();

            String unknown = api.submit("demographics", DemoRequests.small(2).replace("_bounce_rate", "_loyalty"));
            BatchApiClient.Answer ended = api.ended(unknown);
            assertThat(ended.body().toString()).contains("internal_error", "dataset_unavailable");
            assertThat(api.remainingCredits()).isEqualTo(credits);
            for (MainProcess service : new MainProcess[] {less, processor}) {
                await().atMost(TIMEOUT)
                        .until(() -> readiness(service).body().toString(), body -> body.contains("\"catalog\":false"));
                assertThat(service.output())
                        .contains("give all gateways and processors the same catalog folder")
                        .contains("demographics_loyalty");
            }
            assertThat(readiness(more).code()).isEqualTo(200);
        }
    }

    private static BatchApiClient.Answer readiness(MainProcess service) {
        var management =
                new BatchApiClient(service.printed("metrics=(http://[^/]+)/metrics"), "", HttpClient.newHttpClient());
        return management.get("/health/ready");
    }
}
