package millrace.client.cli;

import static millrace.client.cli.TestService.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.standardwebhooks.Webhook;
import java.io.IOException;
import java.net.http.HttpHeaders;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Copies of webhooks for a receiver of one's own. */
class ListenTest {
    private static final String HOOK = "POST /hook";

    @TempDir
    Path home;

    private final TestFeed feed = new TestFeed();
    private TestService service;
    private TestService receiver;

    @BeforeEach
    void start() throws IOException {
        service = TestService.start().on(TestFeed.TARGET, feed);
        receiver = TestService.start().on(HOOK, bytes(200, new byte[0]));
    }

    @AfterEach
    void stop() {
        service.close();
        receiver.close();
    }

    @Test
    void sendsWhatTheServiceWouldSendSignedWithASecretOfItsOwn() {
        feed.event("report", """
                {"id":"report-events.3.1","type":"report","occurred_at":"2026-11-20T10:00:01Z",\
                "report":{"report_id":"845d","dataset":"keywords","status":"complete","sequence":2,\
                "updated_at":"2026-11-20T10:00:00.123Z","used_quota":7}}""");
        Typed.Result done = listen(1);
        assertThat(done.code()).as(done.err()).isZero();
        assertThat(done.out()).matches("""
                        [0-9:]{8}  --> 845d\\.2  845d  keywords  complete  7 credits
                        [0-9:]{8}  <-- 845d\\.2  200  in .*
                        """);
        TestService.Request sent = receiver.requests(HOOK).getFirst();
        assertThat(sent.text())
                .isEqualTo(
                        "{\"event_type\":\"report_status_change\",\"payload\":{\"report_id\":\"845d\",\"dataset\":\"keywords\","
                                + "\"status\":\"complete\",\"sequence\":2,\"occurred_at\":\"2026-11-20T10:00:00.123Z\",\"updated_at\":\"2026-11-20T10:00:00.123Z\",\"used_quota\":7}}");
        assertThat(sent.header("Webhook-id")).isEqualTo("845d.2");
        assertThat(sent.header("Content-type")).isEqualTo("application/json");
        String secret =
                new Typed(home, service).run("listen", "--print-secret").out().strip();
        assertThat(done.err()).contains(secret);
        assertThatCode(() -> new Webhook(secret).verify(sent.text(), headers(sent)))
                .doesNotThrowAnyException();
        assertThat(new Typed(home, service)
                        .environment("MILLRACE_KEY", "another")
                        .run("listen", "--print-secret")
                        .out())
                .as("of another key")
                .isNotEqualTo(secret + "\n");
    }

    @ParameterizedTest
    @CsvSource({
        "completed, complete",
        "pending, processing",
        "retry, processing",
        "processing, processing",
        "internal_error, internal_error"
    })
    void hasTheWordsOfWebhooksWhateverThoseOfTheKeyAre(String answered, String sent) {
        feed.event(
                "report",
                "{\"id\":\"x\",\"report\":{\"report_id\":\"845d\",\"sequence\":1,\"status\":\"" + answered + "\"}}");
        assertThat(listen(1).code()).isZero();
        assertThat(receiver.requests(HOOK).getFirst().text())
                .isEqualTo("{\"event_type\":\"report_status_change\",\"payload\":{\"report_id\":\"845d\","
                        + "\"sequence\":1,\"status\":\"" + sent + "\"}}");
    }

    @Test
    void sendsNewDataWhereItIsWanted() {
        feed.event("data_version_available", """
                {"id":"v.1","data":{"dataset":"keywords","sequence":3,"version":"v3","change":"restored","periods":{}}}""");
        Typed.Result done = new Typed(home, service)
                .run("listen", "--forward-to", receiver.url() + "/hook", "--data-versions", "--count", "1");
        assertThat(done.code()).isZero();
        assertThat(receiver.requests(HOOK).getFirst().text())
                .isEqualTo("{\"event_type\":\"data_version_available\",\"payload\":{\"dataset\":\"keywords\","
                        + "\"sequence\":3,\"version\":\"v3\",\"change\":\"restored\",\"periods\":{}}}");
        assertThat(receiver.requests(HOOK).getFirst().header("Webhook-id")).isEqualTo("keywords.3");
        assertThat(done.out()).contains("keywords  version v3 restored");
        assertThat(service.requests(TestFeed.TARGET).getFirst().uri().getQuery())
                .isEqualTo("types=report,data_version_available");
    }

    @Test
    void aGatewayThatIsStoppedAndStartedLosesNothing() {
        for (int i = 1; i <= 6; i++) {
            feed.event("report", report(i));
        }
        feed.breakAfter(2).breakAfter(3);
        assertThat(listen(6).code()).isZero();
        assertThat(received()).containsExactly("845d.1", "845d.2", "845d.3", "845d.4", "845d.5", "845d.6");
        assertThat(feed.positions()).containsExactly("null", "p2", "p5");
    }

    @Test
    void aReceiverThatFailsGetsItAgainAndHoldsUpNoOther() {
        receiver.on(HOOK, TestService.nothing(), bytes(500, new byte[0]), bytes(200, new byte[0]));
        feed.event("report", report(1)).event("report", report(2));
        Typed.Result done = listen(2);
        assertThat(done.code()).as(done.out()).isZero();
        // First attempts in their order, retries later.
        assertThat(received()).startsWith("845d.1", "845d.2").hasSize(4).containsOnly("845d.1", "845d.2");
        assertThat(done.out())
                .contains("<-- 845d.1  no answer: Unexpected end of file from server  in ", "; again in 1 s")
                .contains("<-- 845d.2  500  in ");
        List<String> signatures = receiver.requests(HOOK).stream()
                .map(r -> r.header("Webhook-id") + r.header("Webhook-timestamp"))
                .toList();
        assertThat(signatures).as("signed anew").hasSize(4);
    }

    @Test
    void aReceiverThatWantsNoMoreOfItGetsNoMoreOfIt() {
        receiver.on(HOOK, bytes(410, new byte[0]));
        feed.event("report", report(1));
        Typed.Result done = listen(1);
        assertThat(done.code()).isEqualTo(5);
        assertThat(done.out()).contains("<-- 845d.1  410  in ", "given up after 1 attempt");
        assertThat(received()).hasSize(1);
    }

    @Test
    void printsLinesForPrograms() {
        feed.event("report", report(1));
        Typed.Result done = new Typed(home, service)
                .run("listen", "--json", "--count", "1", "--forward-to", receiver.url() + "/hook");
        assertThat(done.out().lines().toList())
                .satisfiesExactly(
                        sent -> assertThat(sent)
                                .isEqualTo(
                                        "{\"webhook_id\":\"845d.1\",\"report\":{\"report_id\":\"845d\",\"sequence\":1}}"),
                        answer -> assertThat(answer).contains("\"delivered\":true", "\"http_status\":200"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--json", "--no-color"})
    void endsWhereNobodyReadsOn(String form) {
        feed.event("report", report(1)).event("report", report(2));
        Typed.Result done = new Typed(home, service)
                .behindHead()
                .run("listen", "--count", "2", form, "--forward-to", receiver.url() + "/hook");
        assertThat(done.code()).isEqualTo(1);
        assertThat(done.err())
                .endsWith(
                        "millrace listen: the output could not be written: the disk is full, or nobody reads it any more\n");
    }

    @Test
    void leavesOutWhatIsNoWebhook() {
        feed.event("reset", "{\"type\":\"reset\",\"reason\":\"The position is older than 30 days.\"}")
                .event("report", "{\"id\":\"x\"}")
                .event("report", report(1));
        Typed.Result done = listen(1);
        assertThat(received()).containsExactly("845d.1");
        assertThat(done.err()).contains("some events are lost: The position is older than 30 days.");
    }

    @Test
    void saysWhatIsMissing() {
        assertThat(new Typed(home, service).run("listen").err()).contains("--forward-to is missing");
        assertThat(new Typed(home, service)
                        .run("listen", "--forward-to", "127.0.0.1:3000")
                        .err())
                .contains("the address must be like http://127.0.0.1:3000/hook");
        assertThat(new Typed(home).run("listen", "--forward-to", receiver.url()).code())
                .isEqualTo(4);
    }

    private Typed.Result listen(int count) {
        return new Typed(home, service)
                .run("listen", "--forward-to", receiver.url() + "/hook", "--count", String.valueOf(count));
    }

    private static String report(int sequence) {
        return "{\"id\":\"report-events.3." + sequence + "\",\"report\":{\"report_id\":\"845d\",\"sequence\":"
                + sequence + "}}";
    }

    private List<String> received() {
        return receiver.requests(HOOK).stream().map(r -> r.header("Webhook-id")).toList();
    }

    private static HttpHeaders headers(TestService.Request request) {
        Map<String, List<String>> headers = new HashMap<>();
        request.headers()
                .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), new ArrayList<>(values)));
        return HttpHeaders.of(headers, (name, value) -> true);
    }
}
