package io.millrace.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.client.Client.Event;
import io.millrace.client.MillraceException.DownloadException;
import io.millrace.client.MillraceException.ServiceException;
import java.io.ByteArrayOutputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class ClientTest {
    private static final Map<String, Object> SCENARIOS = TestData.scenarios();

    private static final Duration TEN_SECONDS = Duration.ofSeconds(10);

    @TempDir
    Path folder;

    /** The table of scenarios that all libraries share. */
    @TestFactory
    Stream<DynamicTest> scenarios() {
        List<Object> scenarios = TestData.list(SCENARIOS, "scenarios");
        assertTrue(scenarios.size() > 50);
        return scenarios.stream()
                .map(TestData::map)
                .map(scenario -> DynamicTest.dynamicTest(TestData.text(scenario, "name"), () -> play(scenario)));
    }

    private void play(Map<String, Object> scenario) throws Exception {
        ScriptedServer server = server(scenario);
        Map<String, Object> options = TestData.map(scenario, "client");
        Client client = client(
                server, seconds(options.getOrDefault("timeout", 60)), seconds(options.getOrDefault("retry_for", 120)));
        Path file = Files.createTempDirectory(folder, "scenario").resolve("file");
        Object result = null;
        MillraceException error = null;
        try {
            result = call(client, TestData.map(scenario, "call"), file);
        } catch (MillraceException e) {
            error = e;
        }
        List<String> wrong = server.end();
        assertEquals(List.of(), wrong, "requests; ended in " + error);
        if (scenario.containsKey("error")) {
            check(TestData.map(scenario, "error"), error);
            try (Stream<Path> left = Files.list(file.getParent())) {
                assertEquals(List.of(), left.toList());
            }
        } else {
            assertNull(error);
            assertEquals(scenario.get("result"), Json.read(Json.write(result).replace(server.base(), "{base}")));
        }
        assertEquals(
                TestData.list(scenario, "sleeps").stream()
                        .map(s -> ((Number) s).doubleValue())
                        .toList(),
                server.sleeps());
    }

    private static ScriptedServer server(Map<String, Object> scenario) throws Exception {
        return new ScriptedServer(TestData.list(scenario, "exchanges"), TestData.map(SCENARIOS, "files"));
    }

    private static Map<String, Object> scenario(String name) {
        return TestData.list(SCENARIOS, "scenarios").stream()
                .map(TestData::map)
                .filter(s -> s.get("name").equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static Duration seconds(Object number) {
        return Duration.ofMillis((long) (((Number) number).doubleValue() * 1000));
    }

    private static Object call(Client client, Map<String, Object> call, Path file) throws Exception {
        String report = TestData.text(call, "report_id");
        String dataset = TestData.text(call, "dataset");
        Map<String, Object> request = TestData.map(call, "request");
        return switch (TestData.text(call, "method")) {
            case "rows" -> rows(client.download(report));
            case "run" -> rows(client.run(dataset, request));
            case "to_file" -> Files.readString(client.download(report).toFile(file));
            case "to_folder" -> {
                Map<String, Object> files = new LinkedHashMap<>();
                for (Path written : client.download(report).toFolder(file.resolveSibling("folder"))) {
                    files.put(written.getFileName().toString(), Files.readString(written));
                }
                yield files;
            }
            case "submit" -> client.submit(dataset, request);
            case "validate" -> client.validate(dataset, request);
            case "wait" ->
                call.containsKey("timeout")
                        ? client.waitFor(report, seconds(call.get("timeout")))
                        : client.waitFor(report);
            case "status" -> client.status(report);
            case "cancel" -> client.cancel(report);
            case "retry" -> client.retry(report);
            case "erase" -> {
                client.erase(report);
                yield null;
            }
            case "credits" -> client.credits();
            case "history" -> list(client.history(TestData.map(call, "filters")));
            case "entities" ->
                client.entities(dataset, TestData.text(call, "prefix"), TestData.number(call, "limit", 0));
            case "events" -> events(client, call);
            case "call" ->
                client.call(
                        TestData.text(call, "http"),
                        TestData.text(call, "path"),
                        Map.of(),
                        TestData.map(call, "body"),
                        Map.of());
            default -> throw new IllegalArgumentException(call.toString());
        };
    }

    private static List<Map<String, Object>> rows(Report report) {
        List<Map<String, Object>> rows = new ArrayList<>();
        report.forEach(rows::add);
        return rows;
    }

    /** Stream.toList() refuses no null, but elements with nulls are compared as they are. */
    private static List<Map<String, Object>> list(Stream<Map<String, Object>> stream) {
        try (stream) {
            return stream.toList();
        }
    }

    private static List<Map<String, Object>> events(Client client, Map<String, Object> call) {
        List<Map<String, Object>> events = new ArrayList<>();
        try (Stream<Event> feed = client.events(TestData.texts(call, "types"), TestData.text(call, "last_event_id"))) {
            Iterator<Event> each = feed.iterator();
            for (int i = 0; i < TestData.number(call, "take", 0); i++) {
                Event event = each.next();
                Map<String, Object> fields = new LinkedHashMap<>();
                fields.put("position", event.position());
                fields.put("type", event.type());
                fields.put("data", event.data());
                events.add(fields);
            }
        }
        return events;
    }

    private static void check(Map<String, Object> expected, MillraceException error) {
        assertNotNull(error);
        assertEquals(
                TestData.text(expected, "type").replace("Error", "Exception"),
                error.getClass().getSimpleName());
        expected.forEach((name, value) -> {
            switch (name) {
                case "type" -> {}
                case "errors" -> assertEquals(value, error.errors());
                case "message" -> assertEquals(value, error.getMessage());
                case "retryable" -> assertEquals(value, error.retryable());
                case "report_id" -> assertEquals(value, error.reportId());
                case "status" -> assertEquals(((Long) value).intValue(), ((ServiceException) error).status());
                case "code" -> assertEquals(value, error.code());
                case "request_id" -> assertEquals(value, error.requestId());
                case "has_idempotency_key" -> assertNotNull(error.idempotencyKey());
                default -> throw new IllegalArgumentException(name);
            }
        });
        assertFalse(error.toString().contains("secret-key"));
    }

    @Test
    void refusesArgumentsThatCannotWork() {
        for (String key : List.of("", "a b", "a\nb", "ü")) {
            assertThrows(IllegalArgumentException.class, () -> new Client(key, "http://x"));
        }
        assertThrows(IllegalArgumentException.class, () -> new Client("key", "x:80"));
    }

    @Test
    void aNameThatDoesNotResolveIsNoAnswer() {
        var client = new Client("k", "http://nowhere.invalid", Duration.ofSeconds(10), Duration.ZERO);
        var error = assertThrows(MillraceException.NoAnswerException.class, client::credits);
        assertTrue(error.getMessage().contains("nowhere.invalid"), error.getMessage());
        assertFalse(error.ambiguous());
    }

    @Test
    void aProxyOfTheCallersIsUsed() throws Exception {
        Object exchange = Json.read("{\"request\":{\"path\":\"http://data.invalid/v3/batch/credits\"},"
                + "\"answer\":{\"status\":200,\"body\":{\"remaining_credits\":7}}}");
        var server = new ScriptedServer(List.of(exchange), Map.of());
        URI proxy = URI.create(server.base());
        Transport transport = Transport.of(HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .proxy(ProxySelector.of(new InetSocketAddress(proxy.getHost(), proxy.getPort()))));
        var client = new Client("k", "http://data.invalid", TEN_SECONDS, Duration.ZERO, transport, server);
        assertEquals(Map.of("remaining_credits", 7L), client.credits());
        assertEquals(List.of(), server.end());
    }

    @Test
    void whatIsRepeatedIsTold() throws Exception {
        Object busy = Json.read("{\"answer\":{\"status\":503,\"body\":{\"errors\":[\"Busy.\"]}}}");
        Object answer = Json.read("{\"answer\":{\"status\":200,\"headers\":{\"idempotent-replayed\":\"true\","
                + "\"retry-after\":\"2\"},\"text\":\"{}\"}}");
        var server = new ScriptedServer(List.of(busy, busy, answer), Map.of());
        List<String> told = new ArrayList<>();
        var waiting = new Waiting() {
            @Override
            public void pause(Duration duration) {}

            @Override
            public void retrying(MillraceException failure, int times) {
                told.add(times + ": " + failure.getMessage());
            }
        };
        Transport transport = Transport.of(HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1));
        var client = new Client("k", server.base(), TEN_SECONDS, TEN_SECONDS, transport, waiting);
        Client.Answer credits = client.exchange("GET", "/v3/batch/credits", null, Map.of());
        assertEquals("true", credits.headers().apply("Idempotent-Replayed"));
        assertEquals(Duration.ofSeconds(2), credits.retryAfter());
        assertEquals("{}", credits.text());
        assertEquals(List.of("1: Busy.", "2: Busy."), told);
        assertEquals(List.of(), server.end());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "none",
            value = {
                "30                            | PT30S",
                "0                             | PT0S",
                "Fri, 20 Nov 2026 10:01:30 GMT | PT1M30S",
                "Fri, 20 Nov 2026 09:00:00 GMT | PT0S",
                "999999999                     | PT24H",
                "soon                          | none",
                "-1                            | none",
                "none                          | none"
            })
    void aPauseIsAskedForInSecondsOrAsADate(String header, Duration pause) {
        assertEquals(pause, Http.retryAfter(header, Instant.parse("2026-11-20T10:00:00Z")));
    }

    @Test
    void anAnswerIsHeldForHalfOfTheTimeoutAndNoLongerThanOneWaits() throws Exception {
        List<Object> exchanges = new ArrayList<>();
        for (String wait : List.of("\"wait=5\"", "\"wait=3\"", "null")) {
            exchanges.add(Json.read("{\"request\":{\"headers\":{\"prefer\":" + wait
                    + "}},\"answer\":{\"status\":200,\"body\":{\"status\":\"complete\"}}}"));
        }
        var server = new ScriptedServer(exchanges, Map.of());
        Client client = client(server, TEN_SECONDS, TEN_SECONDS);
        client.waitFor("a");
        client.waitFor("a", Duration.ofSeconds(3));
        client.waitFor("a", Duration.ofMillis(900));
        assertEquals(List.of(), server.end());
    }

    @Test
    void theCallersOwnIdempotencyKeyIsSent() throws Exception {
        Object exchange = Json.read(
                "{\"request\":{\"headers\":{\"idempotency-key\":\"mine\"}},\"answer\":{\"status\":200,\"body\":{}}}");
        var server = new ScriptedServer(List.of(exchange), Map.of());
        new Client("k", server.base()).submit("demographics", Map.of("limit", 1), "mine");
        assertEquals(List.of(), server.end());
    }

    @Test
    void threadsShareAClient() throws Exception {
        Object answer = Json.read("{\"answer\":{\"status\":200,\"body\":{\"remaining_credits\":7}}}");
        var server = new ScriptedServer(Collections.nCopies(20, answer), Map.of());
        var client = new Client("k", server.base());
        List<CompletableFuture<Map<String, Object>>> calls = IntStream.range(0, 20)
                .mapToObj(i -> CompletableFuture.supplyAsync(client::credits))
                .toList();
        for (CompletableFuture<Map<String, Object>> call : calls) {
            assertEquals(Map.of("remaining_credits", 7L), call.get(20, TimeUnit.SECONDS));
        }
        assertEquals(List.of(), server.end());
    }

    @Test
    void anInterruptEndsACall() throws Exception {
        Object busy = Json.read(
                "{\"answer\":{\"status\":503,\"headers\":{\"retry-after\":\"60\"},\"body\":{\"errors\":[\"Busy.\"]}}}");
        var server = new ScriptedServer(List.of(busy), Map.of());
        var client = new Client("k", server.base());
        var ended = new CompletableFuture<Throwable>();
        var thread = new Thread(() -> {
            try {
                client.credits();
            } catch (MillraceException e) {
                ended.complete(Thread.currentThread().isInterrupted() ? e : new AssertionError("not interrupted"));
            }
        });
        thread.start();
        thread.interrupt();
        assertInstanceOf(MillraceException.InterruptedCallException.class, ended.get(20, TimeUnit.SECONDS));
        thread.join();
        server.end();
    }

    @Test
    void aFeedIsClosedByAnotherThread() throws Exception {
        Object quiet = Json.read("{\"answer\":{\"status\":200,\"text\":\"data: {}\\n\\ndata: 1\",\"stall\":10}}");
        var server = new ScriptedServer(List.of(quiet), Map.of());
        Stream<Event> feed = new Client("k", server.base()).events(List.of(), null);
        Iterator<Event> events = feed.iterator();
        assertEquals(new Event(null, "message", Map.of()), events.next());
        var more = CompletableFuture.supplyAsync(events::hasNext);
        feed.close();
        assertFalse(more.get(20, TimeUnit.SECONDS));
        assertEquals(List.of(), server.end());
    }

    @Test
    void aFeedSaysWhereToGoOn() throws Exception {
        Object answer = Json.read("{\"answer\":{\"status\":200,\"text\":"
                + "\"id: p0\\ndata: \\n\\nid: p1\\ndata: 1\\n\\nid: p2\\ndata: 2\\n\\n\"}}");
        var server = new ScriptedServer(List.of(answer), Map.of());
        try (Feed feed = new Client("k", server.base()).feed(List.of(), null)) {
            assertNull(feed.position());
            assertEquals(1L, feed.next().data());
            assertEquals("p0", feed.position(), "the first one may not be dealt with yet");
            assertEquals(2L, feed.next().data());
            assertEquals("p1", feed.position());
        }
        assertEquals(List.of(), server.end());
    }

    @Test
    void aFileIsResumedWhereAnEarlierDownloadStopped() throws Exception {
        byte[] whole =
                TestData.text(scenario("a file is written whole"), "result").getBytes(StandardCharsets.UTF_8);
        Path path = Files.write(folder.resolve("part"), Arrays.copyOf(whole, 40));
        ScriptedServer server = files("{\"request\":{\"headers\":{\"range\":\"bytes=40-\"}},"
                + "\"answer\":{\"status\":206,\"file\":\"quoted.csv\",\"from\":40}}");
        List<Long> progress = new ArrayList<>();
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            report(server).resume(file, progress::add);
        }
        assertEquals(List.of(), server.end());
        assertArrayEquals(whole, Files.readAllBytes(path));
        assertEquals(40L, progress.get(0));
        assertEquals(whole.length, progress.get(progress.size() - 1));
    }

    @Test
    void aFileThatIsNotTheReportsIsNotGoneOnWith() throws Exception {
        Path path = Files.writeString(folder.resolve("part"), "something else");
        ScriptedServer server = files("{\"answer\":{\"status\":200,\"file\":\"altered.csv\"}}");
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            Report report = report(server);
            assertThrows(DownloadException.class, () -> report.resume(file, bytes -> {}));
        }
        assertEquals(List.of(), server.end());
        assertEquals(0, Files.size(path));
    }

    @Test
    void aStreamGetsEachByteOnce() throws Exception {
        ScriptedServer server = files(
                "{\"answer\":{\"status\":200,\"file\":\"quoted.csv\",\"cut\":40}}",
                "{\"answer\":{\"status\":200,\"file\":\"quoted.csv\"}}");
        var out = new ByteArrayOutputStream();
        report(server).copyTo(out, bytes -> {});
        assertEquals(List.of(), server.end());
        assertArrayEquals(server.file("quoted.csv"), out.toByteArray());
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {
                "attachment; filename=\"r-1.csv.gz\", r-1.csv.gz",
                "attachment; filename=\"up/../../evil\", up",
                "attachment; filename=\"../../evil\", none",
                "attachment; filename=\"/etc/evil\", none",
                "attachment, none"
            })
    void theServiceNamesAFileAndNoFolder(String header, String name) throws Exception {
        Object exchange = Json.read("{\"request\":{\"method\":\"HEAD\"},\"answer\":{\"status\":200,\"headers\":"
                + Json.write(Map.of("content-disposition", header)) + "}}");
        var server = new ScriptedServer(List.of(exchange), Map.of());
        assertEquals(name, report(server).fileName());
        assertEquals(List.of(), server.end());
    }

    private static ScriptedServer files(String... exchanges) throws Exception {
        return new ScriptedServer(Arrays.stream(exchanges).map(Json::read).toList(), TestData.map(SCENARIOS, "files"));
    }

    /** A complete report whose file is quoted.csv. */
    private static Report report(ScriptedServer server) {
        Map<String, Object> first = TestData.map(
                TestData.list(scenario("a file is written whole"), "exchanges").get(0));
        Object status = TestData.map(first, "answer").get("body");
        return client(server).download(Json.object(Json.read(Json.write(status).replace("{base}", server.base()))));
    }

    @Test
    void aNewFileReplacesTheOldOneOnlyWhenItIsWhole() throws Exception {
        Path file = folder.resolve("report.csv");
        Files.writeString(file, "of yesterday");
        Map<String, Object> altered = scenario("an altered file gives no rows");
        ScriptedServer server = server(altered);
        Report broken = client(server).download("845d6440-79d1-4125-964e-eaef0d6923e5");
        assertThrows(DownloadException.class, () -> broken.toFile(file));
        assertEquals("of yesterday", Files.readString(file));
        server.end();

        Map<String, Object> whole = scenario("a file is written whole");
        server = server(whole);
        client(server).download("845d6440-79d1-4125-964e-eaef0d6923e5").toFile(file);
        assertEquals(whole.get("result"), Files.readString(file));
        server.end();
        try (Stream<Path> left = Files.list(folder)) {
            assertEquals(List.of(file), left.toList());
        }
    }

    /** toFile of a report whose file is whole; returns its content. */
    private static String downloaded(Path path) throws Exception {
        Map<String, Object> whole = scenario("a file is written whole");
        ScriptedServer server = server(whole);
        assertEquals(
                path,
                client(server).download("845d6440-79d1-4125-964e-eaef0d6923e5").toFile(path));
        server.end();
        return TestData.text(whole, "result");
    }

    @Test
    void aLinkStaysAndLeadsToTheNewFile() throws Exception {
        Path deep = Files.createDirectory(folder.resolve("deep"));
        Files.writeString(deep.resolve("old.csv"), "of yesterday");
        for (String name : List.of("old.csv", "new.csv")) {
            Path link = Files.createSymbolicLink(folder.resolve("link-to-" + name), Path.of("deep", name));
            String content = downloaded(link);
            assertTrue(Files.isSymbolicLink(link));
            assertEquals(content, Files.readString(deep.resolve(name)));
        }
        try (Stream<Path> left = Files.list(deep)) {
            assertEquals(2, left.count());
        }
    }

    @Test
    void aPipeIsWrittenToAndStays() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
        Path link = Files.createSymbolicLink(folder.resolve("link"), pipe);
        for (Path path : List.of(pipe, link)) {
            CompletableFuture<String> received = CompletableFuture.supplyAsync(() -> {
                try {
                    return Files.readString(pipe);
                } catch (java.io.IOException e) {
                    return e.toString();
                }
            });
            assertEquals(downloaded(path), received.get(20, TimeUnit.SECONDS));
        }
        assertFalse(Files.isRegularFile(pipe));
        assertTrue(Files.isSymbolicLink(link));
    }

    @Test
    void whatIsNoFileIsNotReplaced() throws Exception {
        var report = new Report(null, "1", Map.of());
        assertThrows(UncheckedIOException.class, () -> report.toFile(folder));
        Path loop = folder.resolve("loop");
        Files.createSymbolicLink(loop, loop);
        assertThrows(UncheckedIOException.class, () -> report.toFile(loop));
        assertTrue(Files.isSymbolicLink(loop));
    }

    private static Client client(ScriptedServer server) {
        return client(server, Duration.ofSeconds(20), Duration.ofSeconds(20));
    }

    private static Client client(ScriptedServer server, Duration timeout, Duration retryFor) {
        Transport transport = Transport.of(HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1));
        return new Client("secret-key", server.base() + "/", timeout, retryFor, transport, server);
    }

    @Test
    void rowsThatAreNotReadToTheirEndLeaveNothing() throws Exception {
        Map<String, Object> scenario = scenario("JSON Lines have numbers");
        ScriptedServer server = server(scenario);
        List<String> before = temporaryFiles();
        try (Stream<Map<String, Object>> rows =
                client(server).download("845d6440-79d1-4125-964e-eaef0d6923e5").rows()) {
            assertEquals(
                    TestData.list(scenario, "result").get(0), rows.iterator().next());
        }
        server.end();
        List<String> left = new ArrayList<>(temporaryFiles());
        left.removeAll(before);
        assertEquals(List.of(), left);
    }

    /** Names of temporary files of the library, and on Linux of those that this process has open. */
    private static List<String> temporaryFiles() throws Exception {
        Path open = Path.of("/proc/self/fd");
        try (Stream<Path> named = Files.list(Path.of(System.getProperty("java.io.tmpdir")));
                Stream<Path> opened = Files.isDirectory(open) ? Files.list(open) : Stream.empty()) {
            return Stream.concat(named.map(Path::toString), opened.map(ClientTest::target))
                    .filter(file -> file.matches(".*/millrace-[0-9]+\\.tmp.*"))
                    .toList();
        }
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (java.io.IOException e) {
            return "";
        }
    }

    @TestFactory
    Stream<DynamicTest> csv() {
        return TestData.cases("csv.json").stream()
                .map(TestData::map)
                .map(one -> DynamicTest.dynamicTest(TestData.text(one, "name"), () -> {
                    var rows = new CsvRows(new StringReader(TestData.text(one, "text")));
                    List<Map<String, Object>> all = new ArrayList<>();
                    if (one.containsKey("error")) {
                        var error = assertThrows(DownloadException.class, () -> rows.forEachRemaining(all::add));
                        assertEquals(one.get("error"), error.getMessage());
                    } else {
                        rows.forEachRemaining(all::add);
                        assertEquals(one.get("rows"), all);
                    }
                }));
    }

    @TestFactory
    Stream<DynamicTest> webhooks() {
        return TestData.cases("webhooks.json").stream()
                .map(TestData::map)
                .map(one -> DynamicTest.dynamicTest(TestData.text(one, "name"), () -> {
                    if (one.containsKey("error")) {
                        var error = assertThrows(MillraceException.WebhookException.class, () -> verify(one));
                        assertEquals(one.get("error"), error.getMessage());
                    } else {
                        assertEquals(one.get("event"), verify(one));
                    }
                }));
    }

    private static Map<String, Object> verify(Map<String, Object> one) {
        return Webhooks.verify(
                TestData.texts(one, "secrets"),
                TestData.map(one, "headers"),
                TestData.text(one, "body").getBytes(StandardCharsets.UTF_8),
                Duration.ofMinutes(5),
                Instant.ofEpochSecond(TestData.number(one, "now", 0)));
    }

    @Test
    void aPublicKeyVerifies() throws Exception {
        KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        byte[] encoded = pair.getPublic().getEncoded();
        var key = "whpk_"
                + Base64.getEncoder().encodeToString(Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length));
        long now = Instant.now().getEpochSecond();
        byte[] body = "{\"a\":1}".getBytes(StandardCharsets.UTF_8);
        Signature signer = Signature.getInstance("Ed25519");
        signer.initSign(pair.getPrivate());
        signer.update(("1." + now + ".{\"a\":1}").getBytes(StandardCharsets.UTF_8));
        Map<String, String> headers = Map.of(
                "webhook-id",
                "1",
                "webhook-timestamp",
                Long.toString(now),
                "webhook-signature",
                "v1,AAAA v1a," + Base64.getEncoder().encodeToString(signer.sign()));
        assertEquals(Map.of("a", 1L), Webhooks.verify(key, headers, body));
        byte[] altered = "{\"a\":2}".getBytes(StandardCharsets.UTF_8);
        assertThrows(MillraceException.WebhookException.class, () -> Webhooks.verify(key, headers, altered));
        assertThrows(IllegalStateException.class, () -> WebhookSecret.of(key).sign("1", "2", body));
    }

    @Test
    void aSecretSignsWhatItVerifies() {
        WebhookSecret secret = WebhookSecret.derived("key", "tests");
        String now = Long.toString(Instant.now().getEpochSecond());
        byte[] body = {'{', '}'};
        Map<String, String> headers =
                Map.of("webhook-id", "1", "webhook-timestamp", now, "webhook-signature", secret.sign("1", now, body));
        assertEquals(Map.of(), Webhooks.verify(secret.text(), headers, body));
    }

    @Test
    void theClockOfThisMachineIsTheDefault() {
        Map<String, Object> one = TestData.map(TestData.cases("webhooks.json").get(1));
        var error = assertThrows(
                MillraceException.WebhookException.class,
                () -> Webhooks.verify(
                        TestData.texts(one, "secrets").get(0),
                        TestData.map(one, "headers"),
                        TestData.text(one, "body").getBytes(StandardCharsets.UTF_8)));
        assertTrue(error.getMessage().contains("a clock is wrong"), error.getMessage());
    }
}
