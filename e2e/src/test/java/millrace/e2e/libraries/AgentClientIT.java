package millrace.e2e.libraries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import millrace.contracts.Json;
import millrace.e2e.process.AdminCommand;
import millrace.e2e.process.BatchApiClient;
import millrace.e2e.process.LeftOut;
import millrace.e2e.process.ProcessResult;
import millrace.e2e.process.SharedMillrace;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * The Model Context Protocol's client for JavaScript, as most agents have it, against the service. npm installs it; if
 * that fails, the test is left out, and the end of the build says so.
 */
@Tag("thorough") // installs from a registry
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AgentClientIT {
    /** Kept for the next run. */
    private static final Path PROGRAM = Path.of("target", "agent").toAbsolutePath();

    @RegisterExtension
    static final SharedMillrace SHARED = new SharedMillrace();

    private boolean installed;
    private String key = "";

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        installed = ClientLibrary.JAVASCRIPT.canRun() && install();
        if (!installed) {
            LeftOut.say("agent", "Agents were not tested with the client for JavaScript: npm could not install it.");
            return;
        }
        var admin = new AdminCommand(folder, SHARED.data());
        admin.typed("create agents --name Agents --credits 1000000 --countries US --from 2025-01-01 --to 2026-12-31");
        key = admin.typed("issue-key agents batch --scopes read,request")
                .path("key")
                .asText();
        BatchApiClient api = BatchApiClient.of(SHARED.process(), key);
        Awaitility.await().until(() -> api.remainingCredits() > 0);
        // Until a processor has looked at the data there is no quote.
        Awaitility.await()
                .until(() -> api.get("/v3/batch/tables/demographics/entities").code() == 200);
    }

    private static boolean install() throws InterruptedException, IOException {
        Files.createDirectories(PROGRAM);
        for (String name : List.of("package.json", "agent.js")) {
            try (InputStream in = AgentClientIT.class.getResourceAsStream("/agent/" + name)) {
                Files.copy(Objects.requireNonNull(in), PROGRAM.resolve(name), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        try {
            return ProcessResult.run(
                                    List.of(
                                            "npm",
                                            "install",
                                            "--prefix=" + PROGRAM,
                                            "--prefer-offline",
                                            "--ignore-scripts",
                                            "--no-audit",
                                            "--no-fund"),
                                    Map.of())
                            .code()
                    == 0;
        } catch (IOException e) {
            return false; // it is not on PATH
        }
    }

    private static ProcessResult run(String key) throws IOException, InterruptedException {
        return ProcessResult.run(
                List.of("node", PROGRAM.resolve("agent.js").toString()),
                Map.of("MILLRACE_URL", SHARED.process().address(), "MILLRACE_KEY", key));
    }

    @Test
    void goesFromTheDatasetsToTheRows() throws Exception {
        assumeTrue(installed);
        ProcessResult ended = run(key);
        assertThat(ended.code()).as(ended.out() + ended.err()).isZero();
        List<JsonNode> steps = new ArrayList<>();
        for (String line : ended.out().lines().toList()) {
            steps.add(Json.MAPPER.readTree(line));
        }
        assertThat(steps)
                .extracting(step -> step.path("step").asText())
                .containsExactly(
                        "tools",
                        "resources",
                        "list_datasets",
                        "find_entities",
                        "request_report",
                        "quote_report",
                        "request_report",
                        "report_status",
                        "preview_report",
                        "credits",
                        "cancel_report");
        assertThat(steps.get(0).path("result")).hasSize(8);
        assertThat(steps.get(1).path("result").asText()).startsWith("# Asking for reports");
        assertThat(steps.get(2).at("/result/datasets")).hasSizeGreaterThan(4);
        assertThat(steps.get(3).at("/result/entities")).hasSize(2);
        assertThat(refusal(steps.get(4))).isEqualTo("invalid_request");
        long price = steps.get(5).at("/result/quote/max_credits").asLong();
        assertThat(price).isPositive();
        assertThat(steps.get(6).at("/result/status").asText()).isEqualTo("complete");
        assertThat(steps.get(7).path("result")).isEqualTo(steps.get(6).path("result"));
        long used = steps.get(7).at("/result/used_quota").asLong();
        assertThat(used).isBetween(1L, price);
        assertThat(steps.get(8).at("/result/rows")).hasSize(2);
        assertThat(steps.get(9).at("/result/remaining_credits").asLong())
                .isBetween(1_000_000 - price, 1_000_000 - used);
        assertThat(refusal(steps.get(10))).isEqualTo("report_ended");
    }

    private static String refusal(JsonNode step) {
        assertThat(step.path("isError").asBoolean()).as("%s", step).isTrue();
        return step.at("/result/code").asText();
    }

    @Test
    void aWrongKeyEndsInTheServicesSentence() throws Exception {
        assumeTrue(installed);
        ProcessResult ended = run("no-such-key");
        assertThat(ended.code()).isNotZero();
        assertThat(ended.err()).contains("must be a valid, active key");
    }
}
