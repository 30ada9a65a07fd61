package millrace.e2e.libraries;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import millrace.e2e.client.ReportCsv;
import millrace.e2e.libraries.FaultyProxy.Fault;
import millrace.e2e.process.AdminCommand;
import millrace.e2e.process.BatchApiClient;
import millrace.e2e.process.LeftOut;
import millrace.e2e.process.MillraceProcess;
import millrace.e2e.process.ProcessResult;
import millrace.e2e.process.SharedMillrace;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The libraries for clients against the service: the program of each README, as it stands there, by itself and through a
 * proxy with faults. Where an interpreter is missing, its library is left out, and the end of the build says so.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClientLibrariesIT {
    /** What each program asks for. */
    private static final String REQUEST = """
            {"domains":["amber-bank.example"],"countries":["US"],"metrics":["demographics_share"],
             "start_date":"2026-08","end_date":"2026-10","granularity":"monthly"}""";

    private static final int MOST_LINES = 10;

    @RegisterExtension
    static final SharedMillrace SHARED = new SharedMillrace();

    private final Set<ClientLibrary> runnable = EnumSet.noneOf(ClientLibrary.class);
    private MillraceProcess millrace;
    private String key;
    private FaultyProxy proxy;
    private BatchApiClient api;
    private List<String> lines;
    private long price;

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        for (ClientLibrary library : ClientLibrary.values()) {
            if (library.canRun()) {
                runnable.add(library);
            } else {
                LeftOut.say(
                        "client-" + library,
                        "The client library for " + library + " was not tested: its interpreter is not on PATH.");
            }
        }
        millrace = SHARED.process();
        var admin = new AdminCommand(folder, SHARED.data());
        admin.typed(
                "create libraries --name Libraries --credits 1000000 --countries US --from 2025-01-01 --to 2026-12-31");
        key = admin.typed("issue-key libraries batch").path("key").asText();
        proxy = FaultyProxy.of(millrace.address());
        api = BatchApiClient.of(millrace, key);
        Awaitility.await().until(() -> api.remainingCredits() > 0);
        BatchApiClient.Answer complete = api.ended(api.submit("demographics", REQUEST));
        price = complete.body().path("used_quota").asLong();
        lines = lines(ReportCsv.of(api.download(complete)));
        assertThat(lines).hasSizeGreaterThan(10);
        assertThat(price).isPositive();
    }

    @AfterAll
    void stop() {
        proxy.close();
    }

    /** The lines that each program prints. */
    private static List<String> lines(ReportCsv csv) {
        return csv.rows().stream()
                .map(row -> cell(csv, row, "domain") + " " + cell(csv, row, "date") + " "
                        + cell(csv, row, "demographics_share"))
                .toList();
    }

    private static String cell(ReportCsv csv, List<String> row, String column) {
        String cell = row.get(csv.header().indexOf(column));
        return cell.isEmpty() ? "null" : cell;
    }

    @ParameterizedTest
    @EnumSource
    void theProgramOfTheReadmePrintsTheRows(ClientLibrary library, @TempDir Path folder) throws Exception {
        assumeTrue(runnable.contains(library));
        assertThat(library.example().lines().filter(line -> line.matches(".*\\w.*")))
                .hasSizeLessThanOrEqualTo(MOST_LINES);
        printsTheRows(library.runExample(folder, millrace.address(), key));
    }

    @ParameterizedTest
    @EnumSource
    void aWrongKeyEndsInTheServicesSentence(ClientLibrary library, @TempDir Path folder) throws Exception {
        assumeTrue(runnable.contains(library));
        ProcessResult result = library.runExample(folder, millrace.address(), "no-such-key");
        assertThat(result.code()).as("%s", result).isNotZero();
        assertThat(result.out()).isEmpty();
        assertThat(result.err())
                .contains("api-key: must be a valid, active key.")
                .doesNotContain("no-such-key");
    }

    /** Maven installs that for Java with every build. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "JAVA")
    @Tag("thorough") // asks the package index for what builds the library
    void itInstallsIntoAnEmptyProjectAsTheReadmeSays(ClientLibrary library, @TempDir Path project) throws Exception {
        assumeTrue(runnable.contains(library) && library.canBeInstalled());
        printsTheRows(library.runInstalled(project, millrace.address(), key));
    }

    /** Those of the library for Java are tests of its module. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "JAVA")
    void itsOwnTestsSucceed(ClientLibrary library) throws Exception {
        assumeTrue(runnable.contains(library));
        ProcessResult result = ProcessResult.run(library.ownTests(), Map.of());
        assertThat(result.code()).as("%s", result).isZero();
        assertThat(result.out() + result.err()).containsPattern("Ran 1\\d tests|# pass 1\\d\\d");
    }

    @ParameterizedTest
    @EnumSource
    @Tag("thorough") // waits as the libraries wait
    void theProgramOutlivesFaultsAndPaysOnce(ClientLibrary library, @TempDir Path folder) throws Exception {
        assumeTrue(runnable.contains(library));
        long before = api.remainingCredits();
        String newest = reports().path(0).path("report_id").asText();
        proxy.next("/request-report", Fault.UNAVAILABLE, Fault.ANSWER_LOST);
        proxy.next("/request-status/", Fault.UNAVAILABLE, Fault.CUT);
        proxy.next("/download/", Fault.CUT, Fault.UNAVAILABLE, Fault.CUT);
        List<String> suffered = proxy.suffered();

        printsTheRows(library.runExample(folder, proxy.address(), key));

        assertThat(proxy.suffered()).hasSize(suffered.size() + 7);
        assertThat(before - api.remainingCredits()).isEqualTo(price);
        assertThat(reports().path(1).path("report_id").asText()).isEqualTo(newest);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("thorough") // waits as the libraries wait
    void aFileThatIsAlteredOnTheWayGivesNoRows(ClientLibrary library, @TempDir Path folder) throws Exception {
        assumeTrue(runnable.contains(library));
        proxy.next("/download/", Fault.ALTERED);
        ProcessResult result = library.runExample(folder, proxy.address(), key);
        assertThat(result.code()).as("%s", result).isNotZero();
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).contains("was altered: its SHA-256 is");
    }

    private void printsTheRows(ProcessResult result) {
        assertThat(result.code()).as("%s", result).isZero();
        assertThat(result.out().replace("None", "null").lines()).containsExactlyElementsOf(lines);
    }

    private JsonNode reports() {
        return api.get("/v3/batch/report-history").body().path("reports");
    }
}
