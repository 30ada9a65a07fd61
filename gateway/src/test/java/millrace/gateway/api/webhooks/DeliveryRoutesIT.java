package millrace.gateway.api.webhooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import millrace.contracts.Json;
import millrace.contracts.delivery.DeliveryCommand;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import millrace.contracts.delivery.DeliveryCommand.Resend;
import millrace.contracts.delivery.EndpointState;
import millrace.contracts.delivery.EndpointState.HeldReason;
import millrace.contracts.delivery.WebhookAttempt;
import millrace.contracts.delivery.WebhookAttempt.Outcome;
import millrace.contracts.delivery.WebhookDeadLetter;
import millrace.contracts.delivery.WebhookEndpoint;
import millrace.contracts.topics.Topics;
import millrace.gateway.FakeProcessor;
import millrace.gateway.TestGateway;
import millrace.testing.TestKafka;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a receiver can find out and mend by itself, at one gateway and seen from another. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DeliveryRoutesIT {
    private static final String BASE = "/v3/batch/webhooks/";
    private static final String NOBODYS = "ep_000000000000000000000000";

    private static final AtomicReference<Instant> LAST = new AtomicReference<>(Instant.EPOCH);

    @TempDir
    static Path reports;

    private TestKafka kafka;
    private TestGateway gateway;
    private TestGateway second;
    private FakeProcessor ledger;

    @BeforeAll
    void start() {
        kafka = TestKafka.withTopics(3);
        ledger = new FakeProcessor(kafka.bootstrapServers());
        ledger.balance("acme", 1000, 0);
        gateway = TestGateway.start(kafka.bootstrapServers(), reports);
        second = TestGateway.start(kafka.bootstrapServers(), reports);
    }

    @AfterAll
    void stop() {
        second.close();
        gateway.close();
        ledger.close();
        kafka.close();
    }

    @Test
    void listsWhatBecameOfEventsAndShowsTheirAttempts() {
        String url = "https://list.example/hook?token=secret";
        Deliver delivered = deliver("acme", url);
        Deliver failing = deliver("acme", url);
        Deliver dead = deliver("acme", url);
        Deliver others = deliver("other", url);
        attempt(delivered, 1, Outcome.DELIVERED);
        attempt(failing, 1, Outcome.FAILED);
        attempt(dead, 1, Outcome.FAILED);
        attempt(dead, 2, Outcome.GIVEN_UP);
        letter(dead, 2);
        String endpoint = WebhookEndpoint.id(dead.endpoint());
        for (TestGateway each : List.of(gateway, second)) {
            await().untilAsserted(() -> assertThat(states(each, "deliveries?endpoint=" + endpoint))
                    .containsExactly("dead", "failed", "delivered"));
            assertThat(states(each, "deliveries?endpoint=" + endpoint + "&state=failed,dead"))
                    .containsExactly("dead", "failed");
            assertThat(get(each, "deliveries?report_id=" + failing.reportId())
                            .path("deliveries")
                            .get(0)
                            .path("id")
                            .asText())
                    .isEqualTo(failing.eventId());
            JsonNode detail = get(each, "deliveries/" + dead.eventId());
            assertThat(detail.path("body").asText()).isEqualTo(dead.body());
            assertThat(detail.path("url").asText()).isEqualTo("https://list.example/hook");
            assertThat(detail.path("attempts").findValuesAsText("outcome")).containsExactly("failed", "given_up");
            assertThat(detail.path("attempts").findValuesAsText("answer_excerpt"))
                    .containsExactly("no such table", "no such table");
            assertThat(detail.path("attempts")
                            .get(0)
                            .path("phase_millis")
                            .path("headers")
                            .asInt())
                    .isEqualTo(12);
            assertThat(detail.path("attempts").findValuesAsText("held_reason"))
                    .as("the first one alone was held")
                    .containsExactly("failing");
            JsonNode held = detail.path("attempts").get(0);
            assertThat(held.path("held_until").asText())
                    .isNotEmpty()
                    .isEqualTo(held.path("next_attempt_at").asText());
            assertThat(detail.path("given_up").path("reason").asText()).isEqualTo("The receiver answered 500.");
            assertThat(each.get(BASE + "deliveries/" + others.eventId()).statusCode())
                    .isEqualTo(404);
            assertThat(each.get(BASE + "deliveries/" + others.eventId(), TestGateway.OTHER_KEY)
                            .statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void pages() {
        String url = "https://pages.example/hook";
        for (int i = 0; i < 7; i++) {
            deliver("acme", url);
        }
        String path = "deliveries?limit=3&endpoint="
                + WebhookEndpoint.id(WebhookEndpoint.of("acme", url).key());
        await().until(() -> get(gateway, path.replace("limit=3", "limit=9"))
                        .path("deliveries")
                        .size()
                == 7);
        List<String> ids = new ArrayList<>();
        JsonNode page = get(gateway, path);
        ids.addAll(page.path("deliveries").findValuesAsText("id"));
        while (!page.path("next_cursor").isNull()) {
            page = get(gateway, path + "&cursor=" + page.path("next_cursor").asText());
            ids.addAll(page.path("deliveries").findValuesAsText("id"));
        }
        assertThat(ids).hasSize(7).doesNotHaveDuplicates();
    }

    @Test
    void knowsAnEventAtOnce() {
        for (int i = 0; i < 5; i++) {
            Deliver event = deliver("acme", "https://atonce.example/hook");
            ledger.flush();
            assertThat(second.get(BASE + "deliveries/" + event.eventId()).statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void resendsOne() {
        Deliver dead = deliver("acme", "https://one.example/hook");
        attempt(dead, 1, Outcome.GIVEN_UP);
        letter(dead, 1);
        await().until(() -> state(gateway, dead).equals("dead"));
        assertThat(gateway.post(BASE + "deliveries/" + dead.eventId() + "/resend", TestGateway.OTHER_KEY, "")
                        .statusCode())
                .isEqualTo(404);
        HttpResponse<String> answer = gateway.post(BASE + "deliveries/" + dead.eventId() + "/resend", "");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
        assertThat(state(gateway, dead)).isEqualTo("waiting");
        await().until(() -> state(second, dead).equals("waiting"));
        assertThat(resends(dead)).singleElement().satisfies(r -> {
            assertThat(r.delivery()).isEqualTo(dead);
            assertThat(r.attempts()).isEqualTo(1);
        });
        // Once more: the original is read from the record of the first resend.
        attempt(dead, 2, Outcome.GIVEN_UP);
        letter(dead, 2);
        await().until(() -> state(second, dead).equals("dead"));
        assertThat(second.post(BASE + "deliveries/" + dead.eventId() + "/resend", "")
                        .statusCode())
                .isEqualTo(202);
        assertThat(resends(dead)).extracting(Resend::attempts).containsExactly(1, 2);
        assertThat(get(second, "deliveries/" + dead.eventId()).path("body").asText())
                .isEqualTo(dead.body());
    }

    @Test
    void resendsARange() {
        String url = "https://range.example/hook";
        Instant before = Instant.now();
        List<Deliver> dead = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            Deliver event = deliver("acme", url);
            if (i % 2 == 0) {
                attempt(event, 1, Outcome.GIVEN_UP);
                letter(event, 1);
                dead.add(event);
            } else {
                attempt(event, 1, Outcome.DELIVERED);
            }
        }
        String endpoint = WebhookEndpoint.id(WebhookEndpoint.of("acme", url).key());
        String of = "deliveries?limit=100&endpoint=" + endpoint + "&state=";
        await().until(() -> states(gateway, of + "dead").size() == 20
                && states(gateway, of + "delivered").size() == 20);
        String request = "{\"from\":\"%s\",\"endpoint\":\"%s\"}".formatted(before, endpoint);
        HttpResponse<String> answer = gateway.post(BASE + "resend", request);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
        assertThat(answer.body()).isEqualTo("{\"resent\":20,\"gone\":0,\"left\":0}");
        assertThat(gateway.post(BASE + "resend", request).body()).isEqualTo("{\"resent\":0,\"gone\":0,\"left\":0}");
        assertThat(commands().stream()
                        .filter(c -> c instanceof Resend
                                && c.endpoint().equals(dead.getFirst().endpoint()))
                        .map(c -> ((Resend) c).delivery()))
                .containsExactlyElementsOf(dead);
        await().until(() -> states(second, of + "waiting").size() == 20);
    }

    /**
     * More than are read and appended together, and in their order all the same; their times run ahead of the clock. One
     * call resends 1,000.
     */
    @Test
    void resendsAThousand() {
        String url = "https://thousands.example/hook";
        Instant before = Instant.now();
        List<Deliver> dead = new ArrayList<>();
        for (int i = 0; i < 1200; i++) {
            Deliver event = deliver("acme", url);
            letter(event, 0);
            dead.add(event);
        }
        ledger.flush();
        String endpoint = WebhookEndpoint.id(WebhookEndpoint.of("acme", url).key());
        await().until(() -> state(gateway, dead.getLast()).equals("dead"));
        HttpResponse<String> answer = gateway.post(
                BASE + "resend",
                "{\"from\":\"%s\",\"to\":\"2100-01-01T00:00:00Z\",\"endpoint\":\"%s\"}".formatted(before, endpoint));
        assertThat(answer.body()).isEqualTo("{\"resent\":1000,\"gone\":0,\"left\":200}");
        List<Deliver> oldest = dead.subList(0, 1000);
        assertThat(commands().stream()
                        .filter(c -> c instanceof Resend
                                && c.endpoint().equals(dead.getFirst().endpoint()))
                        .map(c -> ((Resend) c).delivery().eventId()))
                .containsExactlyElementsOf(oldest.stream().map(Deliver::eventId).toList());
    }

    @Test
    void showsEndpointsAndEnablesOne() {
        Deliver waiting = deliver("acme", "https://enable.example/hook");
        attempt(waiting, 1, Outcome.FAILED);
        String id = WebhookEndpoint.id(waiting.endpoint());
        await().until(() -> !endpoint(second, id).path("last_error").isMissingNode());
        assertThat(endpoint(second, id).path("state").asText()).isEqualTo("active");
        assertThat(endpoint(second, id).path("waiting").asInt()).isEqualTo(1);
        var state = new EndpointState(
                "acme",
                waiting.endpoint(),
                EndpointState.Breaker.OPEN,
                9,
                Instant.now(),
                Instant.now().plusSeconds(60),
                4711,
                waiting.occurredAt(),
                null,
                new EndpointState.Failure(Instant.now(), null, "Failed while connecting: the connection was refused."),
                1,
                List.of(new EndpointState.StoppedUrl("https://enable.example/gone", Instant.now())),
                Instant.now(),
                new EndpointState.Held(
                        EndpointState.HeldReason.FAILING, Instant.now().plusSeconds(90), 0, List.of()));
        ledger.put(Topics.ENDPOINT_STATE, waiting.endpoint(), state);
        await().until(() -> endpoint(gateway, id).path("state").asText().equals("parked"));
        JsonNode shown = endpoint(gateway, id);
        assertThat(shown.path("breaker").asText()).isEqualTo("open");
        assertThat(shown.path("held_reason").asText()).isEqualTo("failing");
        assertThat(Instant.parse(shown.path("held_until").asText())).isAfter(Instant.now());
        assertThat(shown.path("next_probe_at")).isEqualTo(shown.path("held_until"));
        assertThat(shown.path("waiting").asInt()).isEqualTo(4711);
        assertThat(shown.path("origin").asText()).isEqualTo("https://enable.example:443");
        assertThat(shown.path("last_error").path("error").asText()).contains("refused");
        assertThat(shown.path("stopped").get(0).path("url").asText()).isEqualTo("https://enable.example/gone");
        String path = BASE + "endpoints/" + id + "/enable";
        assertThat(gateway.post(path, TestGateway.OTHER_KEY, "").statusCode()).isEqualTo(404);
        HttpResponse<String> answer = gateway.post(path, "");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
        assertThat(commands()).anySatisfy(c -> assertThat(c)
                .isInstanceOfSatisfying(DeliveryCommand.EnableEndpoint.class, e -> assertThat(e.endpoint())
                        .isEqualTo(waiting.endpoint())));
    }

    /** Without a folder from the topics, and with one from there and what has come meanwhile. */
    @Test
    void knowsEverythingAgainAfterARestart(@TempDir Path folder) {
        Deliver dead = deliver("acme", "https://restart.example/hook");
        attempt(dead, 1, Outcome.GIVEN_UP);
        letter(dead, 1);
        // The attempt and the dead letter are in two topics: either may be read first.
        String before = await().until(
                        () -> gateway.get(BASE + "deliveries/" + dead.eventId()).body(),
                        body -> body.contains("\"attempt\":1") && body.contains("\"given_up\":{"));
        Deliver later = deliver("acme", "https://later.example/hook");
        ledger.flush();
        for (int start = 0; start < 2; start++) {
            try (TestGateway third = TestGateway.startWithDeliveries(kafka.bootstrapServers(), reports, folder)) {
                await().until(() -> third.get(BASE + "deliveries").statusCode() == 200);
                assertThat(third.get(BASE + "deliveries/" + dead.eventId()).body())
                        .isEqualTo(before);
                assertThat(third.gauge("millrace.deliveries.bytes") > 0).isEqualTo(start > 0);
                assertThat(states(third, "deliveries?report_id=" + later.reportId()))
                        .containsExactly(start == 0 ? "waiting" : "delivered");
            }
            if (start == 0) {
                attempt(later, 1, Outcome.DELIVERED);
                ledger.flush();
            }
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            deliveries?stat=dead       | stat: is not a parameter here; did you mean state?; accepted: report_id, endpoint, from, to, limit, cursor, state.
            deliveries?state=lost      | state: must be of waiting, failed, delivered, dead.
            deliveries?limit=101       | limit: must be a whole number from 1 to 100.
            deliveries?cursor=x        | cursor: must be the next_cursor of an earlier page.
            deliveries?from=yesterday  | from: must be a time like 2026-11-02T08:15:30Z.
            deliveries?report_id=7     | report_id: must be the id of a report.
            deliveries?endpoint=x      | endpoint: must be the id of an endpoint, ep_ and 24 hexadecimal digits.
            endpoints?limits=1         | limits: is not a parameter here; did you mean limit?; accepted: limit, cursor.
            """)
    void saysWhatIsWrongWithAQuestion(String path, String error) {
        HttpResponse<String> answer = gateway.get(BASE + path);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.headers().firstValue("Content-Type"))
                .hasValueSatisfying(t -> assertThat(t).startsWith("application/problem+json"));
        assertThat(json(answer).path("errors")).hasSize(1);
        assertThat(json(answer).path("errors").get(0).asText()).isEqualTo(error);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {}                                                   | from: is required, a time like 2026-11-02T08:15:30Z.
            []                                                   | The body must be a JSON object with the field from, a time.
            {                                                    | The body must be JSON.
            {"from":7}                                           | from: must be a time like 2026-11-02T08:15:30Z.
            {"from":"2026-11-02T08:15:30Z","until":"x"}          | until: is not a field here; accepted: from, to, endpoint, states.
            {"from":"2026-11-02T08:15:30Z","state":["dead"]}     | state: is not a field here; did you mean states?; accepted: from, to, endpoint, states.
            {"from":"2026-11-02T08:15:30Z","states":[]}          | states: must be an array of waiting, failed, delivered, dead.
            {"from":"2026-11-02T08:15:30Z","states":["lost"]}    | states: must be of waiting, failed, delivered, dead.
            {"from":"2026-11-02T08:15:30Z","endpoint":"x"}       | endpoint: must be the id of an endpoint, ep_ and 24 hexadecimal digits.
            """)
    void saysWhatIsWrongWithARange(String body, String error) {
        HttpResponse<String> answer = gateway.post(BASE + "resend", body);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(json(answer).path("errors").get(0).asText()).isEqualTo(error);
    }

    @Test
    void aFieldOfARangeThatIsNullIsAsIfItWereNotThere() {
        String body =
                "{\"from\":\"2026-11-02T08:15:30Z\",\"to\":\"2026-11-02T08:15:31Z\",\"endpoint\":null,\"states\":null}";
        HttpResponse<String> answer = gateway.post(BASE + "resend", body);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
    }

    @Test
    void showsPublicKeys() {
        assertThat(gateway.get(BASE + "keys").body()).isEqualTo("{\"public_keys\":[]}");
        assertThat(gateway.get(BASE + "keys", TestGateway.OTHER_KEY).body())
                .isEqualTo("{\"public_keys\":[\"whpk_O2onvM62pC1io6jQKm8Nc2UyFXcd4kOmOsBIoYtZ2ik=\"]}");
    }

    @Test
    void whatIsNobodysIsNotThere() {
        for (String path : List.of("deliveries/x", "deliveries/" + UUID.randomUUID() + ".1")) {
            assertThat(gateway.get(BASE + path).statusCode()).isEqualTo(404);
            assertThat(gateway.post(BASE + path + "/resend", "").statusCode()).isEqualTo(404);
        }
        assertThat(gateway.post(BASE + "endpoints/" + NOBODYS + "/enable", "").statusCode())
                .isEqualTo(404);
        assertThat(gateway.get(BASE + "deliveries", null).statusCode()).isEqualTo(401);
        assertThat(gateway.get(BASE + "endpoints", TestGateway.REST_KEY).statusCode())
                .isEqualTo(401);
    }

    private Deliver deliver(String account, String url) {
        UUID report = UUID.randomUUID();
        String body = "{\"event_type\":\"report_status_change\",\"payload\":{\"report_id\":\"" + report + "\"}}";
        var event = new Deliver(report + ".1", account, url, report, 1, millis(), body, "trace");
        ledger.putSoon(Topics.DELIVERIES, event.endpoint(), event);
        return event;
    }

    private void attempt(Deliver event, int number, Outcome outcome) {
        boolean delivered = outcome == Outcome.DELIVERED;
        Instant again = outcome == Outcome.FAILED ? millis().plusSeconds(60) : null;
        ledger.putSoon(
                Topics.WEBHOOK_ATTEMPTS,
                event.endpoint(),
                new WebhookAttempt(
                        event.eventId(),
                        event.accountId(),
                        event.endpoint(),
                        event.url(),
                        event.reportId(),
                        1,
                        number,
                        outcome,
                        delivered ? 204 : 500,
                        delivered ? null : "The receiver answered 500.",
                        null,
                        millis(),
                        12,
                        Map.of("headers", 12L),
                        again,
                        delivered ? null : "no such table",
                        WebhookEndpoint.id(event.endpoint()),
                        again,
                        again == null ? null : HeldReason.FAILING));
    }

    private void letter(Deliver event, int attempts) {
        ledger.putSoon(
                Topics.WEBHOOK_DEAD_LETTERS,
                event.endpoint(),
                new WebhookDeadLetter(
                        event.eventId(),
                        event.accountId(),
                        event.endpoint(),
                        event.url(),
                        event.reportId(),
                        1,
                        attempts,
                        "The receiver answered 500.",
                        event.occurredAt(),
                        millis(),
                        event.body(),
                        WebhookEndpoint.id(event.endpoint())));
    }

    /** As precise as topics are; each a little later than the one before. */
    private static Instant millis() {
        return LAST.updateAndGet(last -> {
            Instant now = Instant.ofEpochMilli(Instant.now().toEpochMilli());
            return now.isAfter(last) ? now : last.plusMillis(1);
        });
    }

    private List<DeliveryCommand> commands() {
        return ledger.values(Topics.DELIVERIES).stream()
                .map(Topics.DELIVERIES::decode)
                .toList();
    }

    private List<Resend> resends(Deliver event) {
        List<Resend> resends = new ArrayList<>();
        for (DeliveryCommand command : commands()) {
            if (command instanceof Resend r && r.delivery().eventId().equals(event.eventId())) {
                resends.add(r);
            }
        }
        return resends;
    }

    private static String state(TestGateway gateway, Deliver event) {
        return get(gateway, "deliveries/" + event.eventId()).path("state").asText();
    }

    private static List<String> states(TestGateway gateway, String path) {
        return get(gateway, path).path("deliveries").findValuesAsText("state");
    }

    private static JsonNode endpoint(TestGateway gateway, String id) {
        for (JsonNode each : get(gateway, "endpoints?limit=1000").path("endpoints")) {
            if (each.path("endpoint").asText().equals(id)) {
                return each;
            }
        }
        return Json.MAPPER.missingNode();
    }

    /** The answer, once this gateway has read what there is. */
    private static JsonNode get(TestGateway gateway, String path) {
        Callable<HttpResponse<String>> ask = () -> gateway.get(BASE + path);
        HttpResponse<String> answer =
                await().atMost(Duration.ofSeconds(60)).until(ask, a -> a.statusCode() != 503 && a.statusCode() != 429);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        return json(answer);
    }

    private static JsonNode json(HttpResponse<String> answer) {
        try {
            return Json.MAPPER.readTree(answer.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
