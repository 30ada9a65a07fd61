package millrace.gateway.api.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import millrace.contracts.Hashes;
import millrace.contracts.Json;
import millrace.contracts.accounts.LedgerEntry;
import millrace.contracts.delivery.WebhookAttempt;
import millrace.contracts.reports.ErrorCode;
import millrace.contracts.reports.ReportEvent;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.requests.DataVersionAvailable;
import millrace.contracts.requests.DatasetFacts;
import millrace.contracts.topics.Topics;
import millrace.gateway.FakeProcessor;
import millrace.gateway.TestGateway;
import millrace.gateway.api.events.FeedClient.Received;
import millrace.gateway.copy.activity.Positions;
import millrace.gateway.copy.reports.SampleRecords;
import millrace.gateway.fuzz.RawConnection;
import millrace.gateway.fuzz.RawResponse;
import millrace.gateway.settings.ConnectionSettings;
import millrace.gateway.settings.TlsSettings;
import millrace.testing.TestKafka;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Feeds of two gateways, as clients read them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FeedIT {
    private static final String EVENTS = "/v3/batch/events";
    private static final String OPEN = "millrace.feeds.open";
    /** Short, so that a connection that writes no comments is soon closed. */
    private static final Duration IDLE = Duration.ofSeconds(3);

    private static final Pattern EVENT = Pattern.compile("id: (\\S+)\nevent: (\\w+)\ndata: (.*)\n\n");

    @TempDir
    static Path folder;

    private TestKafka kafka;
    private TestGateway one;
    private TestGateway two;
    private FakeProcessor ledger;
    private final ShiftedClock clock = new ShiftedClock();
    private int written;

    /** The system's clock, ahead by as much as a test wants. */
    private static final class ShiftedClock extends Clock {
        private volatile Duration ahead = Duration.ZERO;

        @Override
        public Instant instant() {
            return Instant.now().plus(ahead);
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            throw new UnsupportedOperationException();
        }
    }

    @BeforeAll
    void start() throws IOException {
        kafka = TestKafka.withTopics(3);
        one = TestGateway.startWithAdmin(kafka.bootstrapServers(), folder, clock);
        two = another();
        ledger = new FakeProcessor(kafka.bootstrapServers());
        for (TestGateway gateway : List.of(one, two)) {
            awaitFeeds(gateway);
        }
    }

    @AfterAll
    void stop() {
        ledger.close();
        two.close();
        one.close();
        kafka.close();
    }

    private TestGateway another() {
        ConnectionSettings usual = TestGateway.CONNECTION;
        var connection =
                new ConnectionSettings(usual.maxHeaderBytes(), usual.headersWithin(), usual.bodyWithin(), IDLE);
        return TestGateway.start(kafka.bootstrapServers(), folder, TlsSettings.NONE, connection);
    }

    private static void awaitFeeds(TestGateway gateway) {
        await().until(() ->
                gateway.send("HEAD", EVENTS, TestGateway.KEY, null, Map.of()).statusCode() == 200);
    }

    /** Waits for feeds of before, whose end the gateway may not have noticed yet. */
    private static FeedClient open(TestGateway gateway, String query, String lastId) {
        return await().until(
                        () -> {
                            var client = new FeedClient(gateway.address(), TestGateway.KEY, query, lastId);
                            if (client.status() != 200) {
                                client.close();
                            }
                            return client;
                        },
                        client -> client.status() == 200);
    }

    /** A connection with a feed that nobody reads. */
    private static Socket openUnread(TestGateway gateway, String lastId) throws IOException {
        while (true) {
            var socket = new Socket();
            socket.setReceiveBufferSize(4096);
            socket.setSoTimeout(10_000);
            socket.connect(new InetSocketAddress(
                    gateway.address().getHost(), gateway.address().getPort()));
            socket.getOutputStream()
                    .write(request("GET", "HTTP/1.1", "Last-Event-ID: " + lastId + "\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            byte[] status = socket.getInputStream().readNBytes("HTTP/1.1 200".length());
            if (new String(status, StandardCharsets.US_ASCII).endsWith("200")) {
                return socket;
            }
            socket.close();
        }
    }

    /** The position of now: what is written from now on comes after it. */
    private static String now(TestGateway gateway) {
        try (FeedClient client = open(gateway, "", "")) {
            await().until(() -> !client.lastId().isEmpty());
            return client.lastId();
        }
    }

    private String report(String message) {
        int n = ++written;
        var failure = new ReportStatus.Failure(ErrorCode.RENDER_FAILED, message, true);
        ReportStatus status = SampleRecords.processing(n, 1, 1).failed(1, failure, Instant.now());
        var query = SampleRecords.request(n, null).request().query();
        ledger.putSoon(Topics.REPORT_EVENTS, status.reportId().toString(), ReportEvent.of(status, query));
        return status.reportId().toString();
    }

    private String attempt(String account) {
        String id = "evt-" + ++written;
        String endpoint = account + "|https://hooks.example.com:443";
        ledger.putSoon(
                Topics.WEBHOOK_ATTEMPTS,
                endpoint,
                new WebhookAttempt(
                        id,
                        account,
                        endpoint,
                        "https://hooks.example.com/a",
                        new UUID(0, written),
                        1,
                        1,
                        WebhookAttempt.Outcome.DELIVERED,
                        200,
                        null,
                        null,
                        Instant.now(),
                        12,
                        Map.of(),
                        null,
                        null,
                        null,
                        null,
                        null));
        return id;
    }

    private String entry(String account) {
        String id = "entry-" + ++written;
        ledger.putSoon(
                Topics.CREDIT_LEDGER,
                account,
                new LedgerEntry(
                        id,
                        account,
                        written,
                        LedgerEntry.Kind.GRANT,
                        null,
                        7,
                        100_000L + written,
                        0,
                        0,
                        100_000L + written,
                        Instant.now()));
        return id;
    }

    private static String what(Received event) {
        JsonNode data = event.data();
        return Stream.of("/report/report_id", "/delivery/id", "/entry/entry_id")
                .map(data::at)
                .filter(node -> !node.isMissingNode())
                .findFirst()
                .orElseThrow(() -> new AssertionError(data))
                .asText();
    }

    @Test
    void goesOnAtAnotherGatewayWithoutAGapOrARepeat() throws Exception {
        String last = now(one);
        List<String> expected = new ArrayList<>();
        List<Received> received = new ArrayList<>();
        try (ExecutorService writing = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> all = writing.submit(() -> {
                for (int i = 0; i < 150; i++) {
                    expected.add(report("it did not work out"));
                    expected.add(attempt("acme"));
                    expected.add(entry("acme"));
                    String ofAnother = i % 2 == 0 ? attempt("other") : entry("other");
                    assertThat(ofAnother).isNotEmpty();
                    if (i % 10 == 0) {
                        ledger.flush();
                    }
                }
                ledger.flush();
            });
            for (int turn = 0; received.size() < 450; turn++) {
                FeedClient client = open(turn % 2 == 0 ? two : one, "", last);
                try (client) {
                    await().until(() -> client.events().size() >= 40
                            || received.size() + client.events().size() >= 450);
                }
                received.addAll(client.events());
                last = client.lastId();
            }
            all.get();
        }
        assertThat(received).extracting(Received::dataId).doesNotHaveDuplicates();
        assertThat(received).extracting(FeedIT::what).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(received).extracting(Received::event).contains("report", "delivery", "credits");
    }

    @Test
    void aReportIsAsRequestStatusSays() {
        ReportStatus processing = SampleRecords.processing(++written, 1, 1);
        UUID id = processing.reportId();
        var file = new StoredFile("a/1/0-9.csv", 12, Hashes.sha256("file"));
        var result = new ReportStatus.Result(
                new ResultCounts(3, 2, 0), 2, file, Instant.now().plusSeconds(600));
        ReportStatus status = processing.completed(result, Instant.now());
        String path = "/v3/batch/request-status/" + id;
        try (FeedClient client = open(one, "?types=report", now(one))) {
            ledger.status(status);
            await().until(() -> one.get(path).body().contains("\"complete\""));
            ledger.put(
                    Topics.REPORT_EVENTS,
                    id.toString(),
                    ReportEvent.of(
                            status, SampleRecords.request(1, null).request().query()));
            await().until(() -> !client.events().isEmpty());
            Received event = client.events().getFirst();
            assertThat(event.event()).isEqualTo("report");
            assertThat(event.data().path("report").toString())
                    .isEqualTo(one.get(path).body());
            assertThat(event.dataId()).matches("report-events\\.[0-2]\\.\\d+");
        }
    }

    @Test
    void newDataAreToldToThoseWhoMayAskForThem() {
        try (FeedClient client = open(one, "?types=data_version_available", now(one))) {
            ledger.put(Topics.DATASET_VERSIONS, "nowhere", version("nowhere", "v1"));
            ledger.put(Topics.DATASET_VERSIONS, "demographics", version("demographics", "v2"));
            await().until(() -> !client.events().isEmpty());
            Received event = client.events().getFirst();
            assertThat(event.event()).isEqualTo("data_version_available");
            assertThat(event.data().at("/data/version").asText()).isEqualTo("v2");
            assertThat(event.data().at("/data/periods/monthly/last").asText()).isEqualTo("2026-10-01");
            assertThat(event.dataId()).matches("dataset-versions\\.[0-2]\\.\\d+");
        }
    }

    /** An event that is on its way when the client disconnects. */
    @Test
    void clientsThatDisconnectCauseNoWarning() throws Exception {
        String last = now(one);
        for (int i = 0; i < 300; i++) {
            report("it did not work out");
        }
        ledger.flush();
        var logger = (Logger) LoggerFactory.getLogger("io.netty.util.concurrent");
        var said = new ListAppender<ILoggingEvent>();
        said.start();
        logger.addAppender(said);
        try {
            for (int i = 0; i < 200; i++) {
                try (Socket client = openUnread(one, last)) {
                    client.setSoLinger(true, 0); // closes it at once
                }
            }
            await().until(() -> one.gauge(OPEN) == 0);
        } finally {
            logger.detachAppender(said);
        }
        assertThat(said.list).isEmpty();
    }

    private static DataVersionAvailable version(String dataset, String version) {
        var span = new DatasetFacts.Span(LocalDate.parse("2025-11-01"), LocalDate.parse("2026-10-01"));
        return new DataVersionAvailable(
                dataset,
                1,
                version,
                DataVersionAvailable.Change.PUBLISHED,
                null,
                null,
                100,
                10,
                Map.of("monthly", span),
                null,
                Instant.now());
    }

    @Test
    void aReaderThatReadsNothingIsDisconnectedAndGetsWhatItMissed() throws Exception {
        int many = 1200;
        String last = now(two);
        await().until(() -> two.gauge(OPEN) == 0);
        List<String> expected = new ArrayList<>();
        List<String> received = new ArrayList<>();
        try (Socket socket = openUnread(two, last)) {
            assertThat(two.gauge(OPEN)).isEqualTo(1);
            for (int i = 0; i < many; i++) {
                expected.add(report("x".repeat(8000)));
            }
            ledger.flush();
            await().until(() -> two.gauge(OPEN) == 0);
            for (Matcher event = EVENT.matcher(rest(socket)); event.find(); ) {
                last = event.group(1);
                received.add(Json.MAPPER
                        .readTree(event.group(3))
                        .at("/report/report_id")
                        .asText());
            }
        }
        assertThat(received).hasSizeLessThan(many - EventFeed.MOST_WAITING);
        try (FeedClient client = open(one, "", last)) {
            await().until(() -> received.size() + client.events().size() >= many);
            client.events().forEach(event -> received.add(what(event)));
        }
        assertThat(received).containsExactlyInAnyOrderElementsOf(expected);
    }

    /** Of a GET, which is closed at once. */
    private static int status(TestGateway gateway) throws IOException {
        try (var connection = new RawConnection(gateway.address(), Duration.ofSeconds(10))) {
            connection.send(request("GET", "HTTP/1.1", ""));
            return connection.answer(false).orElseThrow().status();
        }
    }

    private static String request(String method, String version, String header) {
        return method + " " + EVENTS + " " + version + "\r\nHost: x\r\napi-key: " + TestGateway.KEY + "\r\n" + header
                + "\r\n";
    }

    /** What still comes, until the connection ends in whatever way. */
    private static String rest(Socket socket) throws IOException {
        var rest = new ByteArrayOutputStream();
        try {
            socket.getInputStream().transferTo(rest);
        } catch (SocketException e) {
            // It was reset.
        }
        return rest.toString(StandardCharsets.UTF_8);
    }

    @Test
    void commentsKeepAConnectionOpen() {
        try (FeedClient client = open(two, "?types=balance_low", "")) {
            await().until(() -> client.comments() >= 5 || client.ended());
            assertThat(client.ended()).isFalse();
            // The comments have the newest position.
            String before = client.lastId();
            String entry = entry("acme");
            ledger.flush();
            await().until(() -> !client.lastId().equals(before));
            try (FeedClient since = open(one, "?since=" + before, "")) {
                await().until(() -> !since.events().isEmpty());
                assertThat(what(since.events().getFirst())).isEqualTo(entry);
            }
        }
    }

    @Test
    void saysWhereEventsAreLost() {
        String ofOtherTopics = new Positions(4711, Map.of()).text();
        try (FeedClient client = open(one, "?since=" + ofOtherTopics, "")) {
            await().until(() -> !client.events().isEmpty());
            assertThat(client.events().getFirst().event()).isEqualTo("reset");
            assertThat(client.events().getFirst().data().path("reason").asText())
                    .contains("other topics");
            String entry = entry("acme");
            ledger.flush();
            await().until(() -> client.events().size() >= 2);
            assertThat(what(client.events().get(1))).isEqualTo(entry);
        }
    }

    @Test
    void anAccountMayHaveSome() throws IOException {
        List<FeedClient> clients = IntStream.range(0, EventFeeds.OF_ACCOUNT)
                .mapToObj(i -> open(one, "", ""))
                .toList();
        try {
            HttpResponse<String> refused = one.get(EVENTS);
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.body()).contains("The account may have 20 feeds open at a gateway; this is one more.");
            try (var ofOther = new FeedClient(one.address(), TestGateway.OTHER_KEY, "", "")) {
                assertThat(ofOther.status()).isEqualTo(200);
            }
            clients.getFirst().close();
            await().until(() -> status(one) == 200);
        } finally {
            clients.forEach(FeedClient::close);
        }
    }

    @Test
    void endsWhenItsKeyIsNotValidAnyMore() {
        try (var client = new FeedClient(one.address(), TestGateway.PACED_KEY, "", "");
                var ofAnother = open(one, "", "")) {
            assertThat(client.status()).isEqualTo(200);
            await().until(() -> !client.lastId().isEmpty());
            String accounts = one.adminAddress() + "/admin/v1/accounts/paced";
            Map<String, String> admin = Map.of("admin-key", TestGateway.ADMIN_KEY, "Content-Type", "application/json");
            assertThat(one.send("POST", accounts + "/suspend", null, "{}".getBytes(StandardCharsets.UTF_8), admin)
                            .statusCode())
                    .isEqualTo(200);
            await().until(client::ended);
            assertThat(ofAnother.ended()).isFalse();
            assertThat(one.get(EVENTS, TestGateway.PACED_KEY).statusCode()).isEqualTo(403);
        }
    }

    @Test
    void endsWhenItsKeyExpires() throws IOException {
        String wanted = "{\"label\":\"brief\",\"expires_at\":\"" + Instant.now().plusSeconds(3600) + "\"}";
        HttpResponse<String> made = one.post("/v3/batch/keys", TestGateway.OTHER_KEY, wanted);
        assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
        String key = Json.MAPPER.readTree(made.body()).path("key").asText();
        await().until(() -> one.get(EVENTS + "?types=none", key).statusCode() == 400);
        try (var client = new FeedClient(one.address(), key, "", "");
                var lasting = new FeedClient(one.address(), TestGateway.OTHER_KEY, "", "")) {
            await().until(() -> !client.lastId().isEmpty());
            clock.ahead = Duration.ofHours(2);
            await().until(client::ended);
            assertThat(lasting.ended()).isFalse();
        } finally {
            clock.ahead = Duration.ZERO;
        }
    }

    @Test
    void endsWhenItsKeyReadsNoMore() throws IOException {
        HttpResponse<String> made = one.post("/v3/batch/keys", TestGateway.OTHER_KEY, "{\"scopes\":[\"read\"]}");
        assertThat(made.statusCode()).as(made.body()).isEqualTo(201);
        JsonNode key = Json.MAPPER.readTree(made.body());
        try (var client = new FeedClient(one.address(), key.path("key").asText(), "", "")) {
            await().until(() -> !client.lastId().isEmpty());
            HttpResponse<String> narrowed = one.send(
                    "PATCH",
                    "/v3/batch/keys/" + key.path("id").asText(),
                    TestGateway.OTHER_KEY,
                    "{\"scopes\":[\"request\"]}".getBytes(StandardCharsets.UTF_8),
                    Map.of("Content-Type", "application/json"));
            assertThat(narrowed.statusCode()).as(narrowed.body()).isEqualTo(200);
            await().until(client::ended);
        }
    }

    @Test
    void endsFirstAtShutdown() throws IOException {
        TestGateway third = another();
        awaitFeeds(third);
        long began;
        String last;
        try (FeedClient client = open(third, "", "");
                var unread = new RawConnection(third.address(), Duration.ofSeconds(10))) {
            unread.send(request("GET", "HTTP/1.1", ""));
            assertThat(unread.answer(false).orElseThrow().status()).isEqualTo(200);
            await().until(() -> !client.lastId().isEmpty());
            began = System.nanoTime();
            third.close();
            await().until(client::ended);
            last = client.lastId();
        }
        // Requests in progress are waited for 4 s.
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(3));
        String entry = entry("acme");
        ledger.flush();
        try (FeedClient client = open(one, "", last)) {
            await().until(() -> !client.events().isEmpty());
            assertThat(what(client.events().getFirst())).isEqualTo(entry);
        }
    }

    @Test
    void anyHttpClientCanReadIt() throws IOException {
        try (var old = new RawConnection(one.address(), Duration.ofSeconds(10));
                var head = new RawConnection(one.address(), Duration.ofSeconds(10));
                var packing = new RawConnection(one.address(), Duration.ofSeconds(10))) {
            old.send(request("GET", "HTTP/1.0", ""));
            RawResponse ofOld = old.answer(false).orElseThrow();
            assertThat(ofOld.status()).isEqualTo(200);
            assertThat(ofOld.header("transfer-encoding")).isEmpty();
            assertThat(ofOld.text()).isEqualTo("i"); // of its id, the first byte

            head.send(request("HEAD", "HTTP/1.1", ""));
            RawResponse ofHead = head.answer(true).orElseThrow();
            assertThat(ofHead.status()).isEqualTo(200);
            assertThat(ofHead.mediaType()).isEqualTo("text/event-stream");

            packing.send(request("GET", "HTTP/1.1", "Accept-Encoding: gzip, deflate, br\r\n"));
            RawResponse ofPacking = packing.answer(false).orElseThrow();
            assertThat(ofPacking.header("cache-control")).isEqualTo("no-store");
            assertThat(ofPacking.text()).contains("id: ", "retry: 1000\n");
        }
    }
}
