package millrace.client.cli;

import static millrace.client.cli.TestService.json;
import static millrace.client.cli.TestService.nothing;
import static millrace.client.cli.TestService.problem;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What became of webhooks, and whether they are what was sent. */
class WebhooksTest {
    private static final String SECRET = "whsec_" + Base64.getEncoder().encodeToString(new byte[24]);
    private static final String BODY = "{\"event_type\":\"report_status_change\"}";
    private static final String ID = "845d.2";

    @TempDir
    Path home;

    private TestService service;
    private Typed typed;

    @BeforeEach
    void start() throws IOException {
        service = TestService.start();
        typed = new Typed(home, service);
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void verifiesWhatAnotherLibrarySigned() throws Exception {
        long now = Instant.now().getEpochSecond();
        String signature = new com.standardwebhooks.Webhook(SECRET).sign(ID, now, BODY);
        Path headers = Files.writeString(
                home.resolve("headers"),
                "Host: x\nWebhook-Id: " + ID + "\nwebhook-timestamp: " + now + "\nwebhook-signature: v1,AAAA "
                        + signature + "\n");
        Typed.Result valid =
                typed.in(BODY).run("webhooks", "verify", "--secret", SECRET, "--headers", headers.toString());
        assertThat(valid.err()).isEmpty();
        assertThat(valid.out()).startsWith("valid: 845d.2, signed ");

        Path body = Files.writeString(home.resolve("body"), BODY + "\n");
        Typed.Result longer =
                typed.run("webhooks", "verify", "--secret", SECRET, "--headers", headers.toString(), body.toString());
        assertThat(longer.code()).isEqualTo(7);
        assertThat(longer.err()).contains("the body ends with a line break that was not sent");

        Typed.Result altered =
                typed.in(BODY + "x").run("webhooks", "verify", "--secret", SECRET, "--headers", headers.toString());
        assertThat(altered.code()).isEqualTo(7);
        assertThat(altered.err()).contains("the signature is not right");

        Typed.Result otherId = typed.in(BODY)
                .run("webhooks", "verify", "--secret", SECRET, "--headers", headers.toString(), "--id", "845d.3");
        assertThat(otherId.code()).isEqualTo(7);
    }

    @Test
    void refusesWhatIsTooOld() throws Exception {
        long then = Instant.now().minusSeconds(600).getEpochSecond();
        String signature = new com.standardwebhooks.Webhook(SECRET).sign(ID, then, BODY);
        String[] line = {
            "webhooks", "verify", "--secret", SECRET, "--id", ID, "--timestamp", "" + then, "--signature", signature
        };
        Typed.Result old = typed.in(BODY).run(line);
        assertThat(old.code()).isEqualTo(7);
        assertThat(old.err()).contains("the signature is right, but its time is 10 min");
        String[] anyTime = Arrays.copyOf(line, line.length + 1);
        anyTime[line.length] = "--any-time";
        assertThat(typed.run(anyTime).code()).isZero();
    }

    @Test
    void takesAPublicKeyToo() {
        String key = "whpk_" + Base64.getEncoder().encodeToString(new byte[32]);
        String now = Long.toString(Instant.now().getEpochSecond());
        Typed.Result other = typed.in(BODY)
                .run("webhooks", "verify", "--secret", key, "--id", ID, "--timestamp", now, "--signature", "v1,AAAA");
        assertThat(other.err()).contains("the header has no signature v1a,…, which this key verifies");
    }

    @Test
    void saysWhatIsMissing() {
        assertThat(typed.run("webhooks", "verify", "--secret", SECRET).err())
                .isEqualTo(
                        "millrace webhooks verify: the header webhook-timestamp is missing: give it with --timestamp, or"
                                + " all in a file with --headers\n");
        assertThat(typed.run("webhooks", "verify", "--secret", "whsec_!").err()).contains("is not base64 after whsec_");
        assertThat(typed.run("webhooks", "verify", "--secret", "whsk_AAAA").err())
                .contains("whpk_");
        assertThat(typed.run("webhooks", "verify").err()).contains("Missing required option: '--secret");
    }

    @Test
    void listsDeliveriesPageByPage() {
        service.on(
                "GET /v3/batch/webhooks/deliveries",
                json(200, "{\"deliveries\":[" + delivery("a.1") + "],\"next_cursor\":\"c+1\"}"),
                json(200, "{\"deliveries\":[" + delivery("a.2") + "],\"next_cursor\":null}"));
        Typed.Result listed = typed.run("webhooks", "deliveries", "--state", "failed,dead", "--limit", "2");
        assertThat(listed.out()).isEqualTo("""
                webhook  state   attempts  status  occurred (UTC)       next (UTC)           url
                a.1      failed     1,003     500  2026-11-20 10:00:00  2026-11-20 10:00:30  https://h.example/x
                a.2      failed     1,003     500  2026-11-20 10:00:00  2026-11-20 10:00:30  https://h.example/x
                """);
        assertThat(service.requests("GET /v3/batch/webhooks/deliveries"))
                .extracting(r -> r.uri().getRawQuery())
                .containsExactly("state=failed%2Cdead&limit=2", "state=failed%2Cdead&limit=1&cursor=c%2B1");
    }

    @Test
    void showsADeliveryWithItsAttempts() {
        service.on("GET /v3/batch/webhooks/deliveries/a.1", json(200, """
                {"id":"a.1","url":"https://h.example/x","state":"dead","body":"{}","attempts":[{"attempt":1,\
                "started_at":"2026-11-20T10:00:00Z","duration_millis":5000,"outcome":"failed","error":"timeout in headers",\
                "answer_excerpt":"Oops\\u001b[2J"}]}"""));
        assertThat(typed.run("webhooks", "deliveries", "a.1").out())
                .startsWith("a.1 to https://h.example/x: dead\n{}\n\n")
                .contains("timeout in headers", "Oops\\u001b[2J")
                .doesNotContain("\u001b");
    }

    @Test
    void resendsOneSomeOrARange() {
        service.on("POST /v3/batch/webhooks/deliveries/a.1/resend", json(202, "{\"id\":\"a.1\",\"state\":\"waiting\"}"))
                .on("POST /v3/batch/webhooks/resend", json(202, "{\"resent\":10000,\"gone\":1,\"left\":5}"));
        assertThat(typed.run("webhooks", "resend", "a.1").out()).isEqualTo("a.1 is sent again\n");
        assertThat(typed.run("webhooks", "resend", "--from", "2026-11-02T08:00:00Z", "--state", "dead")
                        .out())
                .isEqualTo(
                        "10,000 webhooks sent again, 1 not kept any more; 5 are left: the same command sends them\n");
        assertThat(service.requests("POST /v3/batch/webhooks/resend").getFirst().text())
                .isEqualTo("{\"from\":\"2026-11-02T08:00:00Z\",\"states\":[\"dead\"]}");
        assertThat(typed.run("webhooks", "resend").code()).isEqualTo(2);
        assertThat(typed.run("webhooks", "resend", "a.1", "--from", "x").code()).isEqualTo(2);
    }

    @Test
    void subscribesUrlsToNewData() {
        String one =
                "{\"id\":\"sub_a\",\"webhook_url\":\"https://h.example/x\",\"created_at\":\"2026-11-20T10:00:00Z\"}";
        service.on("GET /v3/batch/webhooks/subscriptions", json(200, "{\"subscriptions\":[" + one + "]}"))
                .on("POST /v3/batch/webhooks/subscriptions", json(201, one))
                .on("DELETE /v3/batch/webhooks/subscriptions/sub_a", json(200, "{\"subscriptions\":[]}"));
        assertThat(typed.run("webhooks", "subscribe", "h.example/x").out())
                .isEqualTo("sub_a: https://h.example/x is told of new data\n");
        assertThat(service.requests("POST /v3/batch/webhooks/subscriptions")
                        .getFirst()
                        .text())
                .isEqualTo("{\"webhook_url\":\"h.example/x\",\"event_types\":[\"data_version_available\"]}");
        assertThat(typed.run("webhooks", "subscriptions").out()).isEqualTo("""
                subscription  made (UTC)           url
                sub_a         2026-11-20 10:00:00  https://h.example/x
                """);
        assertThat(typed.run("webhooks", "unsubscribe", "sub_a").out()).isEqualTo("sub_a has ended\n");
    }

    @Test
    void sendsNothingTwiceThatMayHaveArrived() {
        service.on("POST /v3/batch/webhooks/test", nothing());
        Typed.Result lost = typed.run("webhooks", "test", "https://h.example/x");
        assertThat(lost.code()).isEqualTo(5);
        assertThat(lost.err()).contains("whether the request was carried out is not known");
        assertThat(service.requests("POST /v3/batch/webhooks/test")).hasSize(1);
        service.on(
                "POST /v3/batch/webhooks/test",
                problem(429, "more than 10 requests a second", "Retry-After", "1"),
                json(200, "{\"event_type\":\"test_webhook_endpoint\"}"));
        assertThat(typed.run("webhooks", "test", "https://h.example/x").out()).startsWith("it arrived");
    }

    /** The service has done what it was asked to. */
    @Test
    void aReceiverThatFailsIsNotTheServiceThatRefuses() {
        service.on(
                "POST /v3/batch/webhooks/test",
                json(
                        400,
                        "{\"code\":\"webhook_test_failed\",\"request_id\":\"req-1\","
                                + "\"errors\":[\"webhook_url: The receiver answered 500.\"]}"));
        Typed.Result failed = typed.run("webhooks", "test", "https://h.example/x");
        assertThat(failed.code()).isEqualTo(5);
        assertThat(failed.err())
                .startsWith("millrace webhooks test: https://h.example/x: The receiver answered 500.\n");
        service.on("POST /v3/batch/webhooks/test", problem(400, "webhook_url: has no valid host."));
        Typed.Result refused = typed.run("webhooks", "test", "https://h.example/x");
        assertThat(refused.code()).isEqualTo(3);
        assertThat(refused.err()).isEqualTo("millrace webhooks test: <url>: has no valid host.\n");
    }

    private static String delivery(String id) {
        return "{\"id\":\"" + id + "\",\"url\":\"https://h.example/x\",\"state\":\"failed\",\"attempt_count\":1003,"
                + "\"occurred_at\":\"2026-11-20T10:00:00Z\",\"last_http_status\":500,"
                + "\"next_attempt_at\":\"2026-11-20T10:00:30.500Z\"}";
    }
}
