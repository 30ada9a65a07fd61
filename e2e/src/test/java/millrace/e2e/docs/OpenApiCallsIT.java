package millrace.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import millrace.e2e.data.DemoDataFolder;
import millrace.e2e.data.DemoRequests;
import millrace.e2e.process.AdminCommand;
import millrace.e2e.process.BatchApiClient;
import millrace.e2e.process.LeftOut;
import millrace.e2e.process.MillraceProcess;
import millrace.e2e.process.ProcessResult;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the OpenAPI documents allow is accepted, what they forbid is refused, and every answer is as they say: thousands of
 * calls that {@code openapi_calls.py} makes from the documents. {@code -Dopenapi.calls} says how many of each, and
 * {@code -Dopenapi.seed} which.
 */
@Tag("thorough") // installs packages of Python, and calls for minutes
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OpenApiCallsIT {
    private static final String CALLS = System.getProperty("openapi.calls", "5000");
    private static final String SEED = System.getProperty("openapi.seed", "1");
    private static final Duration AT_MOST = Duration.ofMinutes(5);
    private static final Path PROGRAM = Path.of("src", "test", "python");
    private static final Path ENVIRONMENT = Path.of("target", "openapi-calls");

    private MillraceProcess millrace;
    private Path data;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        Optional<String> missing = prepare();
        if (missing.isPresent()) {
            LeftOut.say("openapi-calls", "The OpenAPI documents were not tried with generated calls: " + missing.get());
        }
        assumeTrue(missing.isEmpty(), missing.orElse(""));
        data = DemoDataFolder.create(folder.resolve("data"));
        millrace = MillraceProcess.start(
                data,
                DemoDataFolder.arguments(
                        "--gateway.requests-per-second=1000000",
                        "--gateway.reads-per-second=1000000",
                        "--management.port=0"));
        new AdminCommand(folder, data).typed("grant demo 1000000000000");
        // So that operators find one.
        BatchApiClient api = BatchApiClient.of(millrace, millrace.batchKey());
        api.ended(api.submit("demographics", DemoRequests.small(1)));
    }

    @AfterAll
    void stop() {
        if (millrace != null) {
            millrace.close();
        }
    }

    @Test
    void thePublicApiIsAsItsDocumentSays() throws Exception {
        everyCallOf(millrace.address(), "api-key", millrace.batchKey());
    }

    @Test
    void theAdminApiIsAsItsDocumentSays() throws Exception {
        String key = Files.readAllLines(data.resolve("admin-keys")).getLast().split(" ", -1)[1];
        everyCallOf(millrace.adminAddress(), "admin-key", key);
    }

    private void everyCallOf(String address, String header, String key) throws Exception {
        ProcessResult result = ProcessResult.run(
                List.of(
                        ENVIRONMENT.resolve("bin/python").toString(),
                        PROGRAM.resolve("openapi_calls.py").toString(),
                        "--address=" + address,
                        "--key-header=" + header,
                        "--key=" + key,
                        "--calls=" + CALLS,
                        "--seed=" + SEED,
                        "--seconds=" + AT_MOST.toSeconds()),
                Map.of(),
                AT_MOST.plusMinutes(2));
        System.out.println(result.out());
        assertThat(result.code()).as("%s", result).isZero();
        assertThat(millrace.output()).doesNotContain("\tat ");
    }

    /** Installs the packages that are not there; returns what is missing. */
    private static Optional<String> prepare() throws IOException, InterruptedException {
        if (!succeeds("python3", "-c", "import sys; sys.exit(sys.version_info < (3, 10))")) {
            return Optional.of("Python 3.10 is not on PATH.");
        }
        if (!succeeds("python3", "-m", "venv", ENVIRONMENT.toString())) {
            return Optional.of("python3 -m venv fails.");
        }
        Path packages = PROGRAM.resolve("requirements.txt");
        return succeeds(
                        ENVIRONMENT.resolve("bin/python").toString(),
                        "-m",
                        "pip",
                        "install",
                        "--quiet",
                        "--disable-pip-version-check",
                        "--retries=0",
                        "--no-deps",
                        "-r",
                        packages.toString())
                ? Optional.empty()
                : Optional.of("pip does not get what " + packages + " names.");
    }

    private static boolean succeeds(String... command) throws InterruptedException {
        try {
            return ProcessResult.run(List.of(command), Map.of()).code() == 0;
        } catch (IOException e) {
            return false; // it is not on PATH
        }
    }
}
