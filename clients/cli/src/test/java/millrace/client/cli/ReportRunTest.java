package millrace.client.cli;

import static millrace.client.cli.TestService.bytes;
import static millrace.client.cli.TestService.json;
import static millrace.client.cli.TestService.nothing;
import static millrace.client.cli.TestService.problem;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import millrace.client.cli.output.Terminal;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** From the request of a report to its file, and what may go wrong on the way. */
class ReportRunTest {
    private static final String ID = "845d6440-79d1-4125-964e-eaef0d6923e5";
    private static final String VALIDATE = "POST /v3/batch/demographics/request-validate";
    private static final String SUBMIT = "POST /v3/batch/demographics/request-report";
    private static final String STATUS = "GET /v3/batch/request-status/" + ID;
    private static final String FILE = "GET /file";
    private static final byte[] ROWS =
            "domain,share\na.example,0.5\n".repeat(5000).getBytes(StandardCharsets.UTF_8);
    private static final String PROCESSING = "{\"report_id\":\"" + ID
            + "\",\"status\":\"processing\",\"phase\":\"rendering\",\"progress\":0.4,\"sequence\":1}";

    @TempDir
    Path folder;

    private TestService service;
    private Typed typed;
    private Path file;

    @BeforeEach
    void start() throws IOException {
        service = TestService.start();
        typed = new Typed(folder.resolve("home"), service);
        file = folder.resolve("out.csv");
        service.on(VALIDATE, json(200, "{\"is_valid\":true,\"estimated_credits\":1234,\"warnings\":[\"open rows\"]}"))
                .on(SUBMIT, json(200, ticket()))
                .on(STATUS, json(200, complete()))
                .on(FILE, bytes(200, ROWS));
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void goesFromTheRequestToTheFile() throws IOException {
        service.on(STATUS, json(200, PROCESSING, "Retry-After", "7"), json(200, complete()));
        Path domains = Files.writeString(folder.resolve("domains.txt"), "a.example\n\n b.example \n");

        Typed.Result done = typed.run(
                "report",
                "run",
                "demographics",
                "--domains",
                "@" + domains,
                "--countries",
                "US,GB",
                "--metrics",
                "demographics_share",
                "--from",
                "2026-01",
                "--to",
                "2026-06",
                "--set",
                "limit=100",
                "-o",
                file.toString());

        assertThat(done.err())
                .matches("demographics: at most 1,234 credits\nwarning: open rows\nreport " + ID
                        + "\nrendering 40 %\n(download [0-9]+ %\n)*download 100 %\n");
        assertThat(done.code()).isZero();
        assertThat(done.out()).isEqualTo(file + "  10,000 rows, 135 kB, 99 credits\n");
        assertThat(Files.readAllBytes(file)).isEqualTo(ROWS);
        assertThat(typed.pauses()).containsExactly(Duration.ofSeconds(7));
        String body =
                "{\"domains\":[\"a.example\",\"b.example\"],\"countries\":[\"US\",\"GB\"],\"start_date\":\"2026-01\","
                        + "\"end_date\":\"2026-06\",\"limit\":100,\"granularity\":\"monthly\",\"metrics\":[\"demographics_share\"]}";
        assertThat(service.requests(VALIDATE)).singleElement().satisfies(r -> assertThat(r.text())
                .isEqualTo(body));
        assertThat(service.requests(SUBMIT)).singleElement().satisfies(r -> {
            assertThat(r.text()).isEqualTo(body);
            assertThat(r.header("Api-key")).isEqualTo(TestService.KEY);
        });
        assertThat(service.requests(FILE)).singleElement().satisfies(r -> assertThat(r.headers())
                .as("the link needs no key")
                .doesNotContainKey("Api-key"));
        assertThat(names()).containsExactlyInAnyOrder("out.csv", "domains.txt");
    }

    @Test
    void bringsAllFilesOfAReportInPartsIntoAFolder() throws IOException {
        service.on(STATUS, json(200, inParts(true))).on("GET /file-2", bytes(200, ROWS));
        Typed.Result done = run("-o", folder.resolve("parts").toString(), "--split", "20000");
        assertThat(done.code()).as(done.err()).isZero();
        assertThat(done.out()).isEqualTo(folder.resolve("parts") + "  2 files, 20,000 rows, 270 kB, 99 credits\n");
        assertThat(service.requests(SUBMIT)).singleElement().satisfies(r -> assertThat(r.text())
                .contains("\"split\":{\"max_rows\":20000}"));
        for (String name : List.of("demographics-0001.csv", "demographics-0002.csv")) {
            assertThat(Files.readAllBytes(folder.resolve("parts").resolve(name)))
                    .isEqualTo(ROWS);
        }

        // Again: one is there, another one has another content.
        Files.writeString(folder.resolve("parts/demographics-0002.csv"), "mine");
        Typed.Result refused = typed.run(
                "report", "download", ID, "-o", folder.resolve("parts").toString());
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains("demographics-0002.csv is there already");
        Files.delete(folder.resolve("parts/demographics-0002.csv"));
        assertThat(typed.run(
                                "report",
                                "download",
                                ID,
                                "-o",
                                folder.resolve("parts").toString())
                        .code())
                .isZero();
        assertThat(service.requests(FILE)).hasSize(1);
        assertThat(service.requests("GET /file-2")).hasSize(2);
    }

    @Test
    void listsTheFilesOfAReportThatHasMany() throws IOException {
        String files = "GET /v3/batch/files/" + ID;
        service.on(STATUS, json(200, inParts(false)))
                .on("GET /file-2", problem(410, "The link has expired."), bytes(200, ROWS))
                .on(
                        files,
                        json(200, "{\"files\":[" + part(1, "/file") + "],\"next_cursor\":\"1\"}"),
                        json(200, "{\"files\":[" + part(2, "/file-2") + "],\"next_cursor\":null}"));
        Typed.Result done = typed.run(
                "report", "download", ID, "-o", folder.resolve("parts").toString());
        assertThat(done.code()).as(done.err()).isZero();
        assertThat(Files.readAllBytes(folder.resolve("parts/demographics-0002.csv")))
                .isEqualTo(ROWS);
        assertThat(service.requests(files).get(1).uri().getQuery()).isEqualTo("limit=1000&cursor=1");
        assertThat(service.requests(files)).as("for a new link").hasSizeGreaterThan(2);
    }

    @Test
    void severalFilesDoNotGoToTheStandardOutput() {
        service.on(STATUS, json(200, inParts(true)));
        Typed.Result done = run("-o", "-");
        assertThat(done.code()).isEqualTo(2);
        assertThat(done.err()).contains("has 2 files: -o names a folder for them");
    }

    @Test
    void whereSeveralFilesCannotGoIsSaidBeforeTheReportIsPaid() throws IOException {
        Typed.Result toOutput = run("-o", "-", "--split", "20000");
        assertThat(toOutput.code()).isEqualTo(2);
        assertThat(toOutput.err()).contains("-o names a folder for them, and not -");
        Files.writeString(file, "mine");
        Typed.Result toFile = run("-o", file.toString(), "--force", "--set", "num_of_files=3");
        assertThat(toFile.code()).isEqualTo(2);
        assertThat(toFile.err()).contains(file + " is no folder");
        assertThat(service.requests(SUBMIT)).isEmpty();
    }

    private String inParts(boolean listed) {
        return complete()
                .replaceFirst("\"row_count\":[0-9]+", "\"row_count\":20000")
                .replaceFirst("\"file_size\":[0-9]+", "\"file_size\":" + 2 * ROWS.length)
                .replaceFirst(
                        "\"sha256\":\"[0-9a-f]+\"",
                        "\"file_count\":2"
                                + (listed ? ",\"files\":[" + part(1, "/file") + "," + part(2, "/file-2") + "]" : ""));
    }

    private String part(int number, String path) {
        return "{\"name\":\"demographics-000" + number + ".csv\",\"table\":\"demographics\",\"part\":" + number
                + ",\"row_count\":10000,\"file_size\":" + ROWS.length + ",\"sha256\":\"" + sha256()
                + "\",\"download_url\":\"" + service.url() + path + "\"}";
    }

    @Test
    void drawsABarOnATerminalOnly() {
        service.on(STATUS, json(200, PROCESSING), json(200, complete()));
        typed.terminal(new Terminal(true, true, 80, false));
        Typed.Result done = run("-o", file.toString());
        assertThat(done.err())
                .contains("\rrendering  [#########...............] 40 %")
                .endsWith("\r\u001b[K");
        assertThat(done.out()).doesNotContain("\r");
    }

    /** Whatever the service says: a terminal acts on nothing of it. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void printsNothingThatATerminalActsOn(boolean terminal) {
        String title = "\\u001b]0;x\\u0007";
        if (terminal) {
            typed.terminal(new Terminal(true, true, 80, false));
        }
        List<String> ends = List.of(
                failed("dataset_unavailable", true).replace("it cannot be read", title),
                complete().replace(ID, title).replace(sha256(), title),
                complete().replace(ID, title).replace("download_url", "none"),
                complete().replace("demographics", title).replace("used_quota", title));
        for (String end : ends) {
            service.on(STATUS, json(200, PROCESSING.replace("rendering", title)), json(200, end));
            Typed.Result done = run("-o", file.toString(), "--json", "--force");
            assertThat(done.err()).contains(title).doesNotContain("\u001b]", "\u0007");
            String result = done.code() == 0
                    ? done.out()
                    : done.err().substring(done.err().indexOf("millrace report run: "));
            assertThat(result).containsIgnoringCase(title).doesNotContain("\u001b]", "\u0007");
        }
    }

    @Test
    void printsTheStatusForPrograms() {
        Typed.Result done = run("-o", file.toString(), "--json", "--quiet");
        assertThat(done.err()).isEmpty();
        assertThat(done.out()).contains("\"report_id\" : \"" + ID + "\"", "\"file\" : \"" + file + "\"");
    }

    @Test
    void allMetricsAreThoseOfTheGranularity() {
        service.on("GET /v3/batch/tables/describe", json(200, """
                [{"table":"keywords"},{"table":"demographics","table_metrics":[
                  {"name":"share","granularities":["monthly"]},{"name":"days","granularities":["daily"]},
                  {"name":"both","granularities":["daily","monthly"]}]}]"""));
        assertThat(run("--metrics", "all", "--from", "2026-01", "--no-wait").out())
                .isEqualTo(ID + "\n");
        assertThat(service.requests(SUBMIT).getFirst().text()).contains("\"metrics\":[\"share\",\"both\"]");
        service.on("GET /v3/batch/tables/describe", json(200, "[{\"table\":\"keywords\"}]"));
        Typed.Result unknown = run("--metrics", "all");
        assertThat(unknown.code()).isEqualTo(3);
        assertThat(unknown.err())
                .isEqualTo("millrace report run: there is no dataset demographics; there are: keywords\n");
    }

    @Test
    void aRequestThatIsLostIsSentAgainAsTheSame() {
        service.on(
                SUBMIT,
                nothing(),
                problem(503, "Kafka did not answer in time.", "Retry-After", "2"),
                problem(429, "too many open reports", "Retry-After", "30"),
                json(200, ticket(), "Idempotent-Replayed", "true"));
        Typed.Result done = run("-o", file.toString());
        assertThat(done.code()).as(done.err()).isZero();
        assertThat(done.err())
                .contains("no answer from " + service.url()
                        + ": Unexpected end of file from server; trying again for up to 10 min")
                .contains("report " + ID + " (the one of this idempotency key)\n");
        assertThat(typed.pauses())
                .containsExactly(Duration.ofMillis(500), Duration.ofSeconds(2), Duration.ofSeconds(30));
        List<String> keys = service.requests(SUBMIT).stream()
                .map(r -> r.header("Idempotency-key"))
                .distinct()
                .toList();
        assertThat(service.requests(SUBMIT)).hasSize(4);
        assertThat(keys).singleElement().asString().hasSize(36);
    }

    @Test
    void eachRunIsAReportOfItsOwnUnlessAKeyIsGiven() {
        run("--no-wait");
        run("--no-wait");
        run("--no-wait", "--idempotency-key", "nightly-1");
        assertThat(service.requests(SUBMIT).stream().map(r -> r.header("Idempotency-key")))
                .doesNotHaveDuplicates()
                .contains("nightly-1");
    }

    @Test
    void aServiceThatStaysUnavailableLeavesAKeyToGoOnWith() {
        service.on(SUBMIT, problem(503, "Kafka is unavailable.", "Retry-After", "1"));
        Typed.Result failed = run("--retry-for", "5s", "--idempotency-key", "mine");
        assertThat(failed.code()).isEqualTo(5);
        assertThat(failed.err())
                .contains("millrace report run: Kafka is unavailable.\n")
                .contains("the same command with --idempotency-key mine is the same report");
        assertThat(typed.pauses()).hasSizeBetween(3, 5).containsOnly(Duration.ofSeconds(1));
    }

    @Test
    void aServiceThatAsksForNoPauseGetsOne() {
        service.on(STATUS, json(200, PROCESSING, "Retry-After", "0"), json(200, complete()));
        assertThat(run("-o", file.toString()).code()).isZero();
        assertThat(typed.pauses()).containsExactly(Duration.ofSeconds(1));
    }

    @Test
    void aServiceThatHoldsItsAnswersIsAskedAgainAtOnce() {
        String[] held = {"Retry-After", "7", "Preference-Applied", "wait=1"};
        service.on(STATUS, json(200, PROCESSING, held), json(200, PROCESSING, held), json(200, complete()));
        assertThat(run("-o", file.toString()).code()).isZero();
        assertThat(typed.pauses()).isEmpty();
        assertThat(service.requests(STATUS))
                .extracting(r -> r.header("Prefer"))
                .containsExactly("wait=1", "wait=5", "wait=5");
    }

    @Test
    void aPriceThatHoldsIsSentInPlaceOfAnEstimate() {
        assertThat(run("--quote=-abc", "--no-wait").out()).isEqualTo(ID + "\n");
        assertThat(service.requests(VALIDATE)).isEmpty();
        assertThat(service.requests(SUBMIT).getFirst().text()).isEqualTo("{\"quote\":\"-abc\"}");
        service.on(SUBMIT, problem(409, "quote: it was valid until 2026-11-21T08:30:30Z; validate the request again."));
        assertThat(run("--quote=-abc").err())
                .contains("millrace report run: --quote: it was valid until 2026-11-21T08:30:30Z;");
    }

    @Test
    void whatIsWrongIsSaidBeforeAnythingIsAskedFor() throws IOException {
        service.on(VALIDATE, json(200, "{\"is_valid\":false,\"errors\":[\"countries: is missing\",\"metrics: too\"]}"));
        Typed.Result invalid = run();
        assertThat(invalid.code()).isEqualTo(3);
        assertThat(invalid.err())
                .isEqualTo("millrace report run: --countries: is missing\nmillrace report run: --metrics: too\n");
        assertThat(service.requests(SUBMIT)).isEmpty();

        Files.writeString(file, "precious");
        Typed.Result there = run("-o", file.toString());
        assertThat(there.code()).isEqualTo(2);
        assertThat(there.err())
                .isEqualTo("millrace report run: " + file
                        + " is there already: --force overwrites it, -o names another file\n");
        assertThat(service.requests(VALIDATE)).hasSize(1);
        assertThat(file).hasContent("precious");
        service.on(VALIDATE, json(200, "{\"is_valid\":true}"));
        assertThat(run("-o", file.toString(), "--force").code()).isZero();
        assertThat(Files.readAllBytes(file)).isEqualTo(ROWS);
        assertThat(run("-o", folder.resolve("none/out.csv").toString()).err()).contains("there is no folder ");
    }

    @Test
    void aKeyThatIsNotKnownIsSaidSo() {
        service.on(VALIDATE, problem(401, "The key is not valid."));
        Typed.Result refused = run();
        assertThat(refused.code()).isEqualTo(4);
        assertThat(refused.err())
                .isEqualTo(
                        "millrace report run: The key is not valid.\nmillrace report run: the key was not accepted by "
                                + service.url() + ": log in with millrace login, or look at MILLRACE_KEY and --key\n");
        Typed.Result none =
                new Typed(folder).environment("MILLRACE_URL", service.url()).run("credits");
        assertThat(none.code()).isEqualTo(4);
        assertThat(none.err()).contains("no key for " + service.url());
    }

    @Test
    void aReportThatFailsSaysWhetherItCanBeStartedAgain() {
        service.on(STATUS, json(200, failed("dataset_unavailable", true)));
        Typed.Result failed = run();
        assertThat(failed.code()).isEqualTo(6);
        assertThat(failed.err())
                .endsWith("millrace report run: report " + ID
                        + " failed: it cannot be read (dataset_unavailable); it costs"
                        + " nothing\nmillrace report run: to start it again: millrace report retry " + ID + "\n");
        service.on(STATUS, json(200, failed("idempotency_conflict", false)));
        assertThat(run().err()).doesNotContain("report retry");
    }

    @Test
    void aReportThatWasCancelledMeanwhileHasNotFailed() {
        String cancelled = failed("cancelled", true).replace("\"error\"", "\"outcome\":\"cancelled\",\"error\"");
        service.on(STATUS, json(200, cancelled));
        Typed.Result done = run();
        assertThat(done.code()).isEqualTo(6);
        assertThat(done.err())
                .contains("report " + ID + " was cancelled; it costs nothing")
                .doesNotContain("failed");
    }

    @Test
    void aGatewayThatIsGoneWhileOneWaitsIsWaitedFor() throws Exception {
        int port = service.port();
        // The first answer ends the service; another one comes at the same address.
        service.on(STATUS, exchange -> {
            json(200, PROCESSING).to(exchange);
            exchange.close();
            service.close();
        });
        typed.pausesAreNotCounted();
        var running = typed.start("report", "download", ID, "-o", file.toString());
        org.awaitility.Awaitility.await().until(() -> typed.printed().contains("Connection refused"));
        try (var next = TestService.startAt(
                port, prepared -> prepared.on(STATUS, json(200, complete())).on(FILE, bytes(200, ROWS)))) {
            assertThat(next.url()).isEqualTo(service.url());
            assertThat(running.get().code()).as(typed.printed()).isZero();
        }
        assertThat(Files.readAllBytes(file)).isEqualTo(ROWS);
    }

    @Test
    void givesUpOnAGatewayThatStaysUnavailable() {
        service.close();
        Typed.Result failed = typed.run("report", "download", ID, "--retry-for", "20s");
        assertThat(failed.code()).isEqualTo(5);
        assertThat(failed.err()).endsWith("to go on: millrace report download " + ID + "\n");
        assertThat(typed.pauses().stream().mapToLong(Duration::toMillis).sum()).isBetween(15_000L, 20_000L);
    }

    @Test
    void aDownloadThatEndsEarlyGoesOnWhereItEnded() throws IOException {
        service.on(
                FILE,
                part(0, 1000),
                part(1000, 50_000),
                problem(503, "unavailable", "Retry-After", "3"),
                part(50_000, ROWS.length));
        Typed.Result done = run("-o", file.toString());
        assertThat(done.code()).as(done.err()).isZero();
        assertThat(Files.readAllBytes(file)).isEqualTo(ROWS);
        assertThat(service.requests(FILE).stream().map(r -> r.header("Range")))
                .containsExactly("", "bytes=1000-", "bytes=50000-", "bytes=50000-");
        assertThat(typed.pauses()).contains(Duration.ofSeconds(3));
    }

    @Test
    void aLaterCommandGoesOnWithWhatAnEarlierOneHas() throws IOException {
        service.on(FILE, part(0, 70_000), problem(500, "broken"));
        Typed.Result stopped = run("-o", file.toString(), "--retry-for", "1s");
        assertThat(stopped.code()).isEqualTo(5);
        assertThat(stopped.err())
                .contains("what has come is kept: the same download goes on from there")
                .contains("to go on: millrace report download " + ID + " -o " + file);
        assertThat(file).doesNotExist();
        service.on(FILE, part(70_000, ROWS.length));
        assertThat(typed.run("report", "download", ID, "-o", file.toString()).code())
                .isZero();
        assertThat(Files.readAllBytes(file)).isEqualTo(ROWS);
        assertThat(names()).containsExactly("out.csv");
    }

    @Test
    void twoDownloadsOfTheSameFileDoNotMix() throws IOException {
        Path part = folder.resolve(".out.csv." + sha256().substring(0, 12) + ".part");
        try (FileChannel other = FileChannel.open(part, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = other.lock()) {
            assertThat(lock.isValid()).isTrue();
            Typed.Result second = run("-o", file.toString());
            assertThat(second.code()).isEqualTo(1);
            assertThat(second.err()).contains(file + " is being downloaded by another millrace");
        }
        assertThat(run("-o", file.toString()).code()).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aFileThatIsAlteredIsNotKept(boolean longer) throws IOException {
        byte[] altered = ROWS.clone();
        altered[ROWS.length / 2] ^= 1;
        byte[] sent = longer
                ? (new String(altered, StandardCharsets.UTF_8) + "more").getBytes(StandardCharsets.UTF_8)
                : altered;
        service.on(FILE, bytes(200, sent));
        Typed.Result done = run("-o", file.toString());
        assertThat(done.code()).isEqualTo(7);
        assertThat(done.err()).contains("what has come is not the file of report " + ID, "nothing was kept");
        assertThat(names()).isEmpty();
        assertThat(service.requests(FILE)).as("tried once more").hasSize(2);
        assertThat(run("-o", "-").code()).isEqualTo(7);
    }

    @Test
    void aFileThatIsAlteredOnceIsDownloadedAgain() throws IOException {
        service.on(FILE, bytes(200, new byte[ROWS.length]), bytes(200, ROWS));
        assertThat(run("-o", file.toString()).code()).isZero();
        assertThat(Files.readAllBytes(file)).isEqualTo(ROWS);
    }

    @Test
    void aLinkThatHasExpiredIsReplaced() throws IOException {
        service.on(FILE, problem(410, "The link has expired."), bytes(200, ROWS));
        assertThat(run("-o", file.toString()).code()).isZero();
        assertThat(service.requests(STATUS)).hasSize(2);
        service.on(FILE, problem(410, "The file is gone."));
        Typed.Result gone = run("-o", "-");
        assertThat(gone.code()).isEqualTo(3);
        assertThat(gone.err()).endsWith("The file is gone.\n");
        service.on(STATUS, json(200, complete().replace("\"download_url\"", "\"none\"")));
        assertThat(run("-o", "-").err()).contains("is not kept any more, since 2026-12-01 00:00:00 UTC");
    }

    @Test
    void followsToTheStorageWithoutTheKey() throws IOException {
        service.on(FILE, bytes(302, new byte[0], "Location", "/storage?signed=1"))
                .on("GET /storage", bytes(200, ROWS));
        assertThat(run("-o", file.toString()).code()).isZero();
        assertThat(Files.readAllBytes(file)).isEqualTo(ROWS);
        assertThat(service.requests("GET /storage").getFirst().headers()).doesNotContainKey("Api-key");
        service.on(FILE, bytes(302, new byte[0], "Location", "file:///etc/passwd"));
        assertThat(run("-o", "-", "--retry-for", "0s").err()).contains("which is not safe to follow");
    }

    @Test
    void theServiceNamesTheFileAndNothingElse() throws IOException {
        service.on("HEAD /file", bytes(200, new byte[0], "Content-Disposition", "attachment; filename=\"r-1.csv.gz\""));
        assertThat(run("-o", folder.toString()).out()).startsWith(folder.resolve("r-1.csv.gz") + "  ");
        service.on("HEAD /file", bytes(200, new byte[0], "Content-Disposition", "attachment; filename=\"../../evil\""));
        assertThat(run("-o", folder.toString()).out()).startsWith(folder.resolve(ID) + "  ");
    }

    @Test
    void aReportIdThatLeavesTheFolderIsNoName() throws IOException {
        Path inner = Files.createDirectories(folder.resolve("a/b"));
        service.on(STATUS, json(200, complete().replace(ID, "../../evil")));
        Typed.Result done = run("-o", inner.toString());
        assertThat(done.code()).isEqualTo(3);
        assertThat(done.err())
                .contains("the service names no file, and its report id is none to name one after: ../../evil;"
                        + " name a file with -o\n");
        assertThat(names()).containsExactly("a");
        assertThat(inner).isEmptyDirectory();
    }

    @Test
    void aChecksumIsNoPath() throws IOException {
        service.on(STATUS, json(200, complete().replace(sha256(), "/../../evil")));
        assertThat(run("-o", file.toString()).code()).isEqualTo(7);
        assertThat(names()).isEmpty();
    }

    @Test
    void aLinkStaysAndLeadsToTheNewFile() throws IOException {
        Path deep = Files.createDirectory(folder.resolve("deep"));
        Files.writeString(deep.resolve("old.csv"), "of yesterday");
        Path old = Files.createSymbolicLink(folder.resolve("old"), Path.of("deep", "old.csv"));
        Typed.Result refused = run("-o", old.toString());
        assertThat(refused.code()).isEqualTo(2);
        assertThat(refused.err()).contains(old + " is there already: --force overwrites it");
        assertThat(run("-o", old.toString(), "--force").out()).startsWith(old + "  ");
        Path fresh = Files.createSymbolicLink(folder.resolve("fresh"), Path.of("deep", "new.csv"));
        assertThat(run("-o", fresh.toString()).code()).isZero();
        for (String name : List.of("old.csv", "new.csv")) {
            assertThat(Files.readAllBytes(deep.resolve(name))).isEqualTo(ROWS);
        }
        assertThat(List.of(old, fresh)).allMatch(Files::isSymbolicLink);
        assertThat(names()).containsExactlyInAnyOrder("deep", "old", "fresh");
    }

    @Test
    void aPipeIsWrittenToAndStays() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        Path link = Files.createSymbolicLink(folder.resolve("link"), pipe);
        for (Path path : List.of(pipe, link)) {
            var received = new FutureTask<>(() -> Files.readAllBytes(pipe));
            Thread.ofVirtual().start(received);
            Typed.Result done = run("-o", path.toString());
            assertThat(done.code()).as(done.err()).isZero();
            assertThat(received.get(20, TimeUnit.SECONDS)).isEqualTo(ROWS);
        }
        assertThat(Files.isRegularFile(pipe)).isFalse();
        assertThat(Files.isSymbolicLink(link)).isTrue();
    }

    @Test
    void whatIsNoFileIsNotReplaced() throws IOException {
        Path loop = folder.resolve("loop");
        Files.createSymbolicLink(loop, loop);
        Typed.Result circle = run("-o", loop.toString());
        assertThat(circle.code()).isEqualTo(2);
        assertThat(circle.err()).endsWith(loop + " cannot be written: its links lead in circles\n");
        // Somebody else's link at the name of the part would lead the bytes elsewhere.
        Path elsewhere = Files.writeString(folder.resolve("elsewhere"), "untouched");
        Files.createSymbolicLink(folder.resolve(".out.csv." + sha256().substring(0, 12) + ".part"), elsewhere);
        assertThat(run("-o", file.toString()).code()).isEqualTo(1);
        assertThat(elsewhere).hasContent("untouched");
    }

    private Typed.Result run(String... more) {
        List<String> all = Stream.concat(Stream.of("report", "run", "demographics"), Stream.of(more))
                .toList();
        return typed.run(all.toArray(String[]::new));
    }

    /** The names in the folder. */
    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(f -> f.getFileName().toString()).toList();
        }
    }

    /** A range that is announced up to the end of the file, and ends before. */
    private static TestService.Reply part(int from, int to) {
        return exchange -> {
            if (from > 0) {
                exchange.getResponseHeaders()
                        .set("Content-Range", "bytes " + from + "-" + (ROWS.length - 1) + "/" + ROWS.length);
            }
            exchange.sendResponseHeaders(from > 0 ? 206 : 200, ROWS.length - from);
            exchange.getResponseBody().write(ROWS, from, to - from);
            exchange.getResponseBody().flush();
        };
    }

    private static String ticket() {
        return "{\"report_id\":\"" + ID + "\",\"status\":\"processing\"}";
    }

    private static String failed(String code, boolean retryable) {
        return "{\"report_id\":\"" + ID + "\",\"status\":\"internal_error\",\"error\":{\"code\":\"" + code
                + "\",\"message\":\"it cannot be read\",\"retryable\":" + retryable + "}}";
    }

    private String complete() {
        return "{\"report_id\":\"" + ID + "\",\"dataset\":\"demographics\",\"status\":\"complete\",\"sequence\":2,"
                + "\"download_url\":\"" + service.url() + "/file?signature=1\",\"used_quota\":99,\"row_count\":10000,"
                + "\"file_size\":" + ROWS.length + ",\"sha256\":\"" + sha256()
                + "\",\"expires_at\":\"2026-12-01T00:00:00.000Z\"}";
    }

    private static String sha256() {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(ROWS));
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }
}
