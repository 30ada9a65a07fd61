package millrace.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import millrace.contracts.Json;
import millrace.contracts.accounts.AccountAudit;
import millrace.contracts.accounts.AccountRecord;
import millrace.contracts.accounts.KeyUse;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.topics.Topics;
import millrace.gateway.FakeProcessor;
import millrace.gateway.TestGateway;
import millrace.gateway.TopicReader;
import millrace.gateway.accounts.AccountWriter;
import millrace.gateway.admin.command.AdminMain;
import millrace.gateway.fuzz.RawConnection;
import millrace.gateway.fuzz.RawResponse;
import millrace.gateway.problems.ProblemCode;
import millrace.testing.TestKafka;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two gateways on one broker: what an operator tells one of them, both know. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AdminIT {
    private static final String STATUS = "/v3/batch/credits";
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    @TempDir
    static Path folder;

    private volatile Instant now = Instant.parse("2026-06-15T12:00:00Z");
    private TestKafka kafka;
    private TestGateway one;
    private TestGateway two;
    private AdminClient admin;
    private TopicReader log;

    @BeforeAll
    void start() throws IOException {
        kafka = TestKafka.withTopics(3);
        log = new TopicReader(kafka.bootstrapServers());
        one = gateway();
        two = gateway();
        admin = new AdminClient(one.adminAddress(), TestGateway.ADMIN_KEY);
    }

    @AfterAll
    void stop() {
        one.close();
        two.close();
        kafka.close();
    }

    @Test
    void anAccountIsMadeAndUsedAtBothAtOnce() {
        JsonNode created = ok(admin.post("", """
                {"id":"fresh","name":"Fresh Ltd","credits":500,"reason":"a sale","entitlements":{"web_desktop_data":
                 {"countries":["US"],"start_date":"2025-01-01","end_date":"2026-06-30"}}}"""));
        assertThat(created.path("webhook_secret").asText()).startsWith("whsec_");
        JsonNode issued = ok(admin.post("/fresh/keys", "{\"kind\":\"batch\",\"label\":\"jobs\"}"));
        String key = issued.path("key").asText();
        await().atMost(TIMEOUT).until(() -> two.get(STATUS, key).statusCode() == 200);
        assertThat(one.get(STATUS, key).body()).isEqualTo("{\"remaining_credits\":500,\"credits\":500}");
        assertThat(one.get("/capabilities?api_key=" + key).body()).contains("\"code\":\"US\"");

        String id = issued.path("details").path("id").asText();
        assertThat(one.get(STATUS, key).statusCode()).isEqualTo(200);
        ok(admin.post("/fresh/suspend", "{\"reason\":\"unpaid\"}"));
        assertThat(one.get(STATUS, key).statusCode()).isEqualTo(403);
        assertThat(one.get(STATUS, key).body()).contains("The account is suspended");
        ok(admin.post("/fresh/resume", ""));
        ok(admin.send("DELETE", "/fresh/keys/" + id + "?reason=leaked", null));
        assertThat(one.get(STATUS, key).statusCode()).isEqualTo(401);
        await().atMost(TIMEOUT).until(() -> two.get(STATUS, key).statusCode() == 401);

        assertThat(log.read(Topics.ACCOUNT_AUDIT))
                .filteredOn(a -> a.accountId().equals("fresh"))
                .extracting(a -> a.revision() + " " + a.action().word() + " " + a.actor() + " " + a.reason())
                .containsExactly(
                        "1 created ops a sale",
                        "2 key_issued ops null",
                        "3 suspended ops unpaid",
                        "4 resumed ops null",
                        "5 key_revoked ops leaked");
        assertThat(ok(admin.get("/fresh/audit")).path("audit"))
                .hasSize(5)
                .first()
                .extracting(a -> a.path("action").asText())
                .isEqualTo("key_revoked");
        assertThat(ok(admin.get("/fresh/audit?limit=2")).path("audit"))
                .extracting(a -> a.path("action").asText())
                .containsExactly("key_revoked", "resumed");
        for (var topic : List.of(Topics.ACCOUNTS, Topics.ACCOUNT_AUDIT)) {
            assertThat(log.text(topic))
                    .doesNotContain(key)
                    .doesNotContain(created.path("webhook_secret").asText());
        }
    }

    /** Says how long it takes, from the operator's request on. */
    @Test
    void theOtherGatewayKnowsWithinAMoment() {
        ok(admin.post("", "{\"id\":\"quick\",\"name\":\"Quick\"}"));
        List<Long> made = new ArrayList<>();
        List<Long> known = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            long began = System.nanoTime();
            JsonNode issued = ok(admin.post("/quick/keys", "{\"kind\":\"batch\"}"));
            made.add((System.nanoTime() - began) / 1_000_000);
            String key = issued.path("key").asText();
            await().atMost(TIMEOUT)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(2))
                    .until(() -> two.get(STATUS, key).statusCode() == 200);
            known.add((System.nanoTime() - began) / 1_000_000);
            ok(admin.send("DELETE", "/quick/keys/" + issued.at("/details/id").asText(), null));
            await().atMost(TIMEOUT).until(() -> two.get(STATUS, key).statusCode() == 401);
        }
        System.out.println("changes made after ms " + made + ", known to the other gateway after ms " + known);
    }

    /** With a limit at each of them, twice as much would pass. */
    @Test
    void bothTogetherLetThroughWhatAnAccountMaySend() {
        int limit = TestGateway.READS_PER_SECOND;
        long began = System.nanoTime();
        int asked = 0;
        int passed = 0;
        double seconds = 0;
        while (seconds < 1) {
            int status = (asked++ % 2 == 0 ? one : two)
                    .get(STATUS, TestGateway.PACED_KEY)
                    .statusCode();
            assertThat(status).isIn(200, 429);
            passed += status == 200 ? 1 : 0;
            seconds = (System.nanoTime() - began) / 1e9;
        }
        System.out.println("passed " + passed + " of " + asked + " requests in " + seconds + " s");
        // The full bucket at first, and half of one for what each lets through until it hears the other.
        assertThat((double) passed)
                .isBetween(Math.min(asked, 0.9 * limit * seconds), 1.1 * limit * seconds + 1.5 * limit);
    }

    @Test
    void bothMayBeToldAtOnceAndNothingIsLost() throws Exception {
        ok(admin.post("", "{\"id\":\"busy\",\"name\":\"Busy\"}"));
        List<AdminClient> both = List.of(admin, new AdminClient(two.adminAddress(), TestGateway.ADMIN_KEY));
        List<Future<AdminClient.Said>> said = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 10; i++) {
                AdminClient client = both.get(i % 2);
                said.add(threads.submit(() -> client.post("/busy/keys", "{\"kind\":\"rest\"}")));
            }
        }
        for (Future<AdminClient.Said> answer : said) {
            assertThat(answer.get().code()).as("%s", answer.get().body()).isEqualTo(201);
        }
        assertThat(ok(admin.get("/busy")).path("keys")).hasSize(10);
        assertThat(log.read(Topics.ACCOUNTS))
                .filteredOn(r -> r.accountId().equals("busy"))
                .extracting(AccountRecord::revision)
                .containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L, 11L);
    }

    @Test
    void anAccountThatIsClosedOpensNothingAndItsReportsCanBeErased() {
        ok(admin.post("", "{\"id\":\"leaving\",\"name\":\"Ann Leaving Ltd\",\"credits\":50}"));
        JsonNode issued = ok(admin.post("/leaving/keys", "{\"kind\":\"batch\",\"label\":\"Ann\"}"));
        String key = issued.path("key").asText();
        await().atMost(TIMEOUT).until(() -> two.get(STATUS, key).statusCode() == 200);
        List<UUID> reports = List.of(UUID.randomUUID(), UUID.randomUUID(), UUID.randomUUID());
        try (var ledger = new FakeProcessor(kafka.bootstrapServers())) {
            for (int i = 0; i < 2; i++) {
                ledger.status(FakeProcessor.ended("leaving", reports.get(i)));
            }
            ledger.status(FakeProcessor.open("leaving", reports.get(2)));
        }
        await().atMost(TIMEOUT).until(() -> one.get("/v3/batch/report-history", key)
                .body()
                .contains(reports.get(2).toString()));
        assertThat(admin.send("DELETE", "/leaving/reports", null).errors())
                .containsExactly("Account leaving is not closed; close it before its reports go.");

        JsonNode closed = ok(admin.post("/leaving/close", "{\"reason\":\"asked for\"}"));
        assertThat(closed.path("status").asText()).isEqualTo("closed");
        assertThat(ok(admin.post("/leaving/close", "")).path("closed_at")).isEqualTo(closed.path("closed_at"));
        assertThat(one.get(STATUS, key).statusCode()).isEqualTo(401);
        await().atMost(TIMEOUT).until(() -> two.get(STATUS, key).statusCode() == 401);
        assertThat(accountsOf("leaving").getLast().toString()).doesNotContain("Ann");
        AdminClient.Said refused = admin.post("/leaving/keys", "{\"kind\":\"batch\"}");
        assertThat(refused.code()).isEqualTo(409);
        assertThat(refused.body().path("code").asText()).isEqualTo("account_closed");
        assertThat(log.read(Topics.ACCOUNT_AUDIT))
                .filteredOn(a -> a.accountId().equals("leaving"))
                .extracting(a -> a.action().word() + " " + a.actor() + " " + a.reason())
                .containsExactly("created ops null", "key_issued ops null", "closed ops asked for");

        JsonNode page = ok(admin.send("DELETE", "/leaving/reports?limit=2", null));
        assertThat(page.path("erased").asInt()).isEqualTo(2);
        JsonNode rest = ok(admin.send(
                "DELETE",
                "/leaving/reports?limit=2&cursor=" + page.path("next_cursor").asText(),
                null));
        assertThat(rest.path("erased").asInt()).isEqualTo(1);
        assertThat(rest.has("next_cursor")).isFalse();
        List<AccountCommand> commands = log.read(Topics.ACCOUNT_COMMANDS);
        assertThat(commands)
                .containsAll(
                        reports.stream().map(AccountCommand.EraseReport::new).toList())
                .containsSubsequence(
                        new AccountCommand.CancelReport(reports.get(2)),
                        new AccountCommand.EraseReport(reports.get(2)));
        assertThat(admin.send("DELETE", "/leaving/reports?cursor=x", null).code())
                .isEqualTo(400);
        assertThat(admin.send("DELETE", "/nobody/reports", null).code()).isEqualTo(404);
    }

    @Test
    void anAccountOfTheFileIsClosedThereFirst() {
        AdminClient.Said refused = admin.post("/acme/close", "");
        assertThat(refused.code()).isEqualTo(409);
        assertThat(refused.errors().toString()).contains("is in the accounts file: remove it there");
    }

    @Test
    void whatAKilledGatewayLeftHalfWrittenNeverWas() {
        ok(admin.post("", "{\"id\":\"torn\",\"name\":\"Torn\"}"));
        try (Producer<String, byte[]> killed = leftOpen(
                "torn", accountsOf("torn").getFirst(), new AccountCommand.GrantCredits("torn-grant", 50, "half"))) {
            var other = new AdminClient(two.adminAddress(), TestGateway.ADMIN_KEY);
            // The operator, who got no answer, repeats it.
            ok(other.post("/torn/credits/grants", "{\"amount\":50,\"grant_id\":\"torn-grant\"}"));
            assertThatThrownBy(killed::commitTransaction).isInstanceOf(KafkaException.class);
        }
        assertThat(log.read(Topics.ACCOUNT_COMMANDS))
                .filteredOn(c -> c instanceof AccountCommand.GrantCredits g
                        && g.grantId().equals("torn-grant"))
                .hasSize(1);
        assertThat(accountsOf("torn")).extracting(AccountRecord::name).containsExactly("Torn", "Torn");
        assertThat(accountsOf("torn")).extracting(AccountRecord::revision).containsExactly(1L, 2L);
        assertThat(log.read(Topics.ACCOUNT_AUDIT))
                .filteredOn(a -> a.accountId().equals("torn"))
                .hasSize(2);
    }

    /** As a gateway does that dies before its commit: everything is in the brokers' logs, and open. */
    private Producer<String, byte[]> leftOpen(String id, AccountRecord before, AccountCommand command) {
        Map<String, Object> config = Map.of(
                "bootstrap.servers", kafka.bootstrapServers(), "transactional.id", AccountWriter.TRANSACTIONAL_ID);
        var producer = new KafkaProducer<>(config, new StringSerializer(), new ByteArraySerializer());
        producer.initTransactions();
        producer.beginTransaction();
        var torn = new AccountRecord(
                id,
                2,
                "half",
                true,
                List.of(),
                Map.of(),
                null,
                null,
                before.webhookSecrets(),
                Map.of(),
                now,
                null,
                null,
                null,
                null);
        var unused = producer.send(new ProducerRecord<>(Topics.ACCOUNTS.name(), id, Topics.ACCOUNTS.encode(torn)));
        var ignored = producer.send(
                new ProducerRecord<>(Topics.ACCOUNT_COMMANDS.name(), id, Topics.ACCOUNT_COMMANDS.encode(command)));
        producer.flush();
        return producer;
    }

    private List<AccountRecord> accountsOf(String id) {
        return log.read(Topics.ACCOUNTS).stream()
                .filter(r -> r.accountId().equals(id))
                .toList();
    }

    @Test
    void monthlyCreditsAreGrantedOnceWhicheverGatewayRuns() {
        ok(admin.post("", "{\"id\":\"monthly\",\"name\":\"Monthly\",\"monthly_credits\":40}"));
        granted("monthly-monthly-2026-06");
        now = Instant.parse("2026-07-01T00:00:00Z");
        granted("monthly-monthly-2026-07");
        one.close();
        one = gateway();
        admin = new AdminClient(one.adminAddress(), TestGateway.ADMIN_KEY);
        now = Instant.parse("2026-08-01T00:00:00Z");
        granted("monthly-monthly-2026-08");
        // A change after that has looked at every month before it.
        ok(admin.send("PUT", "/monthly/name", "{\"name\":\"Still monthly\"}"));
        assertThat(grants("monthly"))
                .containsExactly("monthly-monthly-2026-06", "monthly-monthly-2026-07", "monthly-monthly-2026-08");
        // Months in which no gateway ran.
        one.close();
        two.close();
        now = Instant.parse("2026-10-20T00:00:00Z");
        one = gateway();
        two = gateway();
        admin = new AdminClient(one.adminAddress(), TestGateway.ADMIN_KEY);
        granted("monthly-monthly-2026-10");
        ok(admin.send("PUT", "/monthly/name", "{\"name\":\"Monthly for good\"}"));
        assertThat(grants("monthly")).hasSize(5).doesNotHaveDuplicates().contains("monthly-monthly-2026-09");
        assertThat(log.read(Topics.ACCOUNT_AUDIT))
                .filteredOn(a -> a.accountId().equals("monthly") && a.actor().equals("schedule"))
                .extracting(AccountAudit::reason)
                .containsExactly(
                        "monthly credits of 2026-06",
                        "monthly credits of 2026-07",
                        "monthly credits of 2026-08",
                        "monthly credits of 2026-09 to 2026-10");
    }

    @Test
    void aRestartKnowsEverything() {
        ok(admin.post("", "{\"id\":\"lasting\",\"name\":\"Lasting\",\"credits\":7}"));
        String key = ok(admin.post("/lasting/keys", "{\"kind\":\"batch\",\"dialect\":\"original\"}"))
                .path("key")
                .asText();
        ok(admin.send("PUT", "/lasting/limits", "{\"open_reports\":3}"));
        // The file's own account, changed by an operator: a start does not undo it.
        ok(admin.send("PUT", "/slow/limits", "{\"requests_per_second\":50}"));
        assertThat(one.get(STATUS, key).statusCode()).isEqualTo(200);
        String id = ok(admin.get("/lasting")).at("/keys/0/id").asText();
        await().atMost(TIMEOUT).until(() -> uses(id).size() == 1);
        JsonNode before = ok(admin.get(""));
        two.close();
        two = gateway();
        var other = new AdminClient(two.adminAddress(), TestGateway.ADMIN_KEY);
        await("the last uses, too").atMost(TIMEOUT).untilAsserted(() -> assertThat(ok(other.get("/lasting")))
                .isEqualTo(ok(admin.get("/lasting"))));
        assertThat(ok(other.get("/lasting")).at("/keys/0/last_used_at").asText())
                .isEqualTo(Json.format(now));
        assertThat(two.get(STATUS, key).body()).isEqualTo("{\"remaining_credits\":7,\"credits\":7}");
        assertThat(ok(other.get("/slow"))
                        .path("limits")
                        .path("requests_per_second")
                        .asInt())
                .isEqualTo(50);
        assertThat(ok(other.get("")).path("accounts")).hasSameSizeAs(before.path("accounts"));
        assertThat(grants("acme")).containsExactly("opening-acme");
    }

    @Test
    void aSecretIsShownOnceAndTheOldOneStaysForAWhile() {
        ok(admin.post("", "{\"id\":\"shown\",\"name\":\"Shown\"}"));
        JsonNode rotated = ok(admin.post("/shown/webhook-secrets", "{\"overlap\":\"2h\"}"));
        assertThat(rotated.path("secret").asText()).startsWith("whsec_");
        JsonNode secrets = ok(admin.get("/shown")).path("webhook_secrets");
        assertThat(secrets).hasSize(2);
        assertThat(secrets.get(0).path("id")).isEqualTo(rotated.path("id"));
        assertThat(secrets.get(0).has("expires_at")).isFalse();
        assertThat(secrets.get(1).path("expires_at").asText()).startsWith("2026-");
    }

    @Test
    void anAccountChangesItsKeysItself() {
        Issued first = issued("own", "");
        JsonNode made = said(one, "POST", "/v3/batch/keys", first.text(), "{\"label\":\"jobs\"}", 201);
        String id = made.path("id").asText();
        String key = made.path("key").asText();
        await().atMost(TIMEOUT).until(() -> two.get(STATUS, key).statusCode() == 200);
        JsonNode own = said(two, "GET", "/v3/batch/keys", key, null, 200);
        assertThat(own.path("account").path("id").asText()).isEqualTo("own");
        assertThat(own.path("account").path("name").asText()).isEqualTo("own");
        JsonNode listed = own.path("keys");
        assertThat(listed.findValuesAsText("id")).containsExactlyInAnyOrder(id, first.id());
        assertThat(listed).allSatisfy(k -> {
            assertThat(k.path("current").asBoolean())
                    .isEqualTo(k.path("id").asText().equals(id));
            assertThat(k.path("kind").asText()).isEqualTo("batch");
            assertThat(k.path("declared").asBoolean()).isFalse();
        });
        JsonNode changed = said(two, "PATCH", "/v3/batch/keys/" + id, key, "{\"label\":\"nightly\"}", 200);
        assertThat(changed.path("label").asText()).isEqualTo("nightly");
        assertThat(said(one, "DELETE", "/v3/batch/keys/" + id, key, null, 200).has("revoked_at"))
                .as("the key in use")
                .isTrue();
        assertThat(one.get(STATUS, key).statusCode()).isEqualTo(401);
        await().atMost(TIMEOUT).until(() -> two.get(STATUS, key).statusCode() == 401);
        JsonNode kept = said(one, "DELETE", "/v3/batch/keys/" + first.id(), first.text(), null, 409);
        assertThat(kept.path("errors").get(0).asText())
                .isEqualTo(first.id() + " is the last valid batch key of the account; make another one first.");

        assertThat(log.read(Topics.ACCOUNT_AUDIT))
                .filteredOn(a -> a.accountId().equals("own"))
                .extracting(a -> a.action().word() + " " + a.actor())
                .containsExactly(
                        "created ops",
                        "key_issued ops",
                        "key_issued " + first.id(),
                        "key_changed " + id,
                        "key_revoked " + id);
        for (var topic : List.of(Topics.ACCOUNTS, Topics.ACCOUNT_AUDIT)) {
            assertThat(log.text(topic)).doesNotContain(key);
        }
    }

    @Test
    void aKeyExpiresAtBothWithoutARestart() {
        Instant end = now.plusSeconds(3600);
        Issued brief = issued("brief", ",\"expires_at\":\"" + end + "\"");
        await().atMost(TIMEOUT).until(() -> two.get(STATUS, brief.text()).statusCode() == 200);
        JsonNode made = said(two, "POST", "/v3/batch/keys", brief.text(), null, 201);
        assertThat(Instant.parse(made.path("expires_at").asText()))
                .as("as the key that made it")
                .isEqualTo(end);
        for (String body : List.of("{\"expires_at\":\"" + end.plusSeconds(1) + "\"}", "{\"expires_at\":null}")) {
            assertThat(said(one, "PATCH", "/v3/batch/keys/" + brief.id(), brief.text(), body, 400)
                            .path("errors")
                            .get(0)
                            .asText())
                    .startsWith("expires_at: must not be after " + Json.format(end));
        }
        now = end;
        for (TestGateway gateway : List.of(one, two)) {
            assertThat(gateway.get(STATUS, brief.text()).statusCode()).isEqualTo(401);
            assertThat(gateway.get(STATUS, made.path("key").asText()).body())
                    .contains("api-key: the key expired at " + Json.format(end) + "; use another one.");
            assertThat(gateway.get("/capabilities?api_key=" + brief.text()).body())
                    .contains("api_key: the key expired at");
        }
        assertThat(ok(admin.get("/brief")).path("keys").findValuesAsText("status"))
                .containsOnly("expired");
        ok(admin.send("PATCH", "/brief/keys/" + brief.id(), "{\"expires_at\":null}"));
        assertThat(one.get(STATUS, brief.text()).statusCode()).isEqualTo(200);
        await().atMost(TIMEOUT).until(() -> two.get(STATUS, brief.text()).statusCode() == 200);
    }

    /** Each scope and each route of the document. */
    @Test
    void aKeyOpensWhatItsScopesName() throws IOException {
        Issued whole = issued("scoped", "");
        Map<String, String> keys = new TreeMap<>();
        for (String scope : List.of("read", "request", "webhooks")) {
            JsonNode made = said(one, "POST", "/v3/batch/keys", whole.text(), "{\"scopes\":[\"" + scope + "\"]}", 201);
            assertThat(made.path("scopes")).extracting(JsonNode::asText).containsExactly(scope);
            keys.put(scope, made.path("key").asText());
        }
        JsonNode document = Json.MAPPER.readTree(one.get("/openapi.json", null).body());
        List<String> wrong = new ArrayList<>();
        int asked = 0;
        for (var path : document.path("paths").properties()) {
            for (var operation : path.getValue().properties()) {
                JsonNode needed = operation.getValue().at("/security/0/batchKey");
                for (var key : needed.isMissingNode() ? Map.<String, String>of().entrySet() : keys.entrySet()) {
                    boolean opened =
                            needed.size() == 1 && needed.get(0).asText().equals(key.getKey());
                    // HEAD is answered as GET is, and a feed does not go on.
                    String method = operation.getKey().equals("get")
                            ? "HEAD"
                            : operation.getKey().toUpperCase(Locale.ROOT);
                    HttpResponse<String> answer = one.send(
                            method,
                            path.getKey()
                                    .replace("{report_id}", UUID.randomUUID().toString())
                                    .replaceAll("\\{[a-z]+}", "x"),
                            key.getValue(),
                            method.equals("HEAD") ? null : "{}".getBytes(StandardCharsets.UTF_8),
                            method.equals("HEAD") ? Map.of() : Map.of("Content-Type", "application/json"));
                    boolean sentence =
                            method.equals("HEAD") || answer.body().contains("api-key: the key does not have the scope");
                    if ((answer.statusCode() == 403 && sentence) == opened) {
                        wrong.add(key.getKey() + " " + method + " " + path.getKey() + ": " + answer.statusCode());
                    }
                    asked++;
                }
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(asked).isGreaterThan(100);
        assertThat(said(one, "POST", "/v3/batch/keys", keys.getOrDefault("read", ""), "{}", 403)
                        .path("errors")
                        .get(0)
                        .asText())
                .isEqualTo("api-key: the key does not have the scopes request, webhooks, which this call needs; it has"
                        + " read.");
        for (String path : List.of("/capabilities", "/user-capabilities")) {
            assertThat(one.get(path + "?api_key=" + keys.get("read")).statusCode())
                    .isEqualTo(200);
            assertThat(one.get(path + "?api_key=" + keys.get("request")).body())
                    .contains("api_key: the key does not have the scope read, which this call needs; it has request.");
        }
        assertThat(one.get("/v3/batch/nowhere", keys.get("request")).statusCode())
                .isEqualTo(404);
    }

    @Test
    void scopesAreChangedWithAKeyThatHasAllOfThem() {
        Issued whole = issued("narrowing", "");
        JsonNode made = said(one, "POST", "/v3/batch/keys", whole.text(), "{\"scopes\":[\"webhooks\",\"read\"]}", 201);
        String id = made.path("id").asText();
        String key = made.path("key").asText();
        await().atMost(TIMEOUT).until(() -> two.get(STATUS, key).statusCode() == 200);
        JsonNode wide = said(two, "PATCH", "/v3/batch/keys/" + id, whole.text(), "{\"scopes\":null}", 200);
        assertThat(wide.path("scopes")).extracting(JsonNode::asText).containsExactly("read", "request", "webhooks");
        JsonNode narrow = said(two, "PATCH", "/v3/batch/keys/" + id, whole.text(), "{\"scopes\":[\"request\"]}", 200);
        assertThat(narrow.path("scopes")).extracting(JsonNode::asText).containsExactly("request");
        assertThat(two.get(STATUS, key).statusCode()).isEqualTo(403);
        await().atMost(TIMEOUT).until(() -> one.get(STATUS, key).statusCode() == 403);
        JsonNode kept =
                said(one, "PATCH", "/v3/batch/keys/" + whole.id(), whole.text(), "{\"scopes\":[\"read\"]}", 409);
        assertThat(kept.path("errors").get(0).asText())
                .isEqualTo(whole.id()
                        + " is the last valid batch key of the account with all scopes; make another one first.");
        assertThat(ok(admin.get("/narrowing/audit")).toString()).contains("batch, scopes request");
        JsonNode issued = ok(admin.post("/narrowing/keys", "{\"kind\":\"batch\",\"scopes\":[\"read\"]}"));
        assertThat(issued.at("/details/scopes")).extracting(JsonNode::asText).containsExactly("read");
    }

    @Test
    void aKeyTellsWhenItWasLastUsed() {
        Issued key = issued("used", "");
        var other = new AdminClient(two.adminAddress(), TestGateway.ADMIN_KEY);
        assertThat(ok(admin.get("/used")).at("/keys/0").has("last_used_at")).isFalse();
        Instant first = now;
        assertThat(one.get(STATUS, key.text()).statusCode()).isEqualTo(200);
        assertThat(lastUsed(admin)).isEqualTo(Json.format(first));
        await().atMost(TIMEOUT).untilAsserted(() -> assertThat(lastUsed(other)).isEqualTo(Json.format(first)));
        now = first.plusSeconds(3599);
        assertThat(two.get(STATUS, key.text()).statusCode()).isEqualTo(200);
        assertThat(lastUsed(other)).as("to the hour").isEqualTo(Json.format(first));
        now = first.plusSeconds(3600);
        JsonNode listed = said(two, "GET", "/v3/batch/keys", key.text(), null, 200);
        assertThat(listed.at("/keys/0/last_used_at").asText()).isEqualTo(Json.format(now));
        await().atMost(TIMEOUT).until(() -> lastUsed(admin).equals(Json.format(now)));
        assertThat(uses(key.id())).containsExactly(first, now);
        assertThat(log.read(Topics.ACCOUNT_AUDIT))
                .filteredOn(a -> a.accountId().equals("used"))
                .as("it is no change of the account")
                .hasSize(2);
    }

    private static String lastUsed(AdminClient client) {
        return ok(client.get("/used")).at("/keys/0/last_used_at").asText();
    }

    /** That Kafka has, without those that are there twice: an acknowledgement may be late. */
    private List<Instant> uses(String keyId) {
        return log.read(Topics.KEY_USES).stream()
                .filter(use -> use.keyId().equals(keyId))
                .map(KeyUse::lastUsedAt)
                .distinct()
                .toList();
    }

    @Test
    void keysThatRevokeEachOtherLeaveOne() throws Exception {
        Issued a = issued("rivals", "");
        Issued b = issued(ok(admin.post("/rivals/keys", "{\"kind\":\"batch\"}")));
        await().atMost(TIMEOUT).until(() -> two.get(STATUS, b.text()).statusCode() == 200);
        List<Future<HttpResponse<String>>> revoked = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            revoked.add(threads.submit(() -> one.send("DELETE", "/v3/batch/keys/" + b.id(), a.text(), null, Map.of())));
            revoked.add(threads.submit(() -> two.send("DELETE", "/v3/batch/keys/" + a.id(), b.text(), null, Map.of())));
        }
        List<Integer> codes = new ArrayList<>();
        for (Future<HttpResponse<String>> answer : revoked) {
            codes.add(answer.get().statusCode());
        }
        // 401 where one had read the other's change before it looked at the key.
        assertThat(codes).containsOnlyOnce(200).allMatch(code -> code == 200 || code == 401 || code == 409);
        assertThat(ok(admin.get("/rivals")).path("keys").findValuesAsText("status"))
                .containsExactlyInAnyOrder("active", "revoked");
    }

    @Test
    void anAccountRotatesItsSecret() {
        Issued key = issued("rotating", "");
        JsonNode made = said(one, "POST", "/v3/batch/webhooks/secrets", key.text(), "{\"overlap\":\"2h\"}", 201);
        assertThat(made.path("secret").asText()).startsWith("whsec_");
        Instant end = Instant.parse(made.path("previous_expires_at").asText());
        assertThat(end).isEqualTo(now.plusSeconds(7200));
        JsonNode listed = await().atMost(TIMEOUT)
                .until(
                        () -> said(two, "GET", "/v3/batch/webhooks/secrets", key.text(), null, 200)
                                .path("secrets"),
                        secrets -> secrets.size() == 2);
        assertThat(listed.get(0).path("id")).isEqualTo(made.path("id"));
        assertThat(listed.get(0).has("expires_at")).isFalse();
        assertThat(Instant.parse(listed.get(1).path("expires_at").asText())).isEqualTo(end);
        JsonNode last = said(one, "POST", "/v3/batch/webhooks/secrets", key.text(), "{\"overlap\":\"0s\"}", 201);
        assertThat(last.has("previous_expires_at")).isFalse();
        assertThat(log.text(Topics.ACCOUNTS)).doesNotContain(last.path("secret").asText());
        assertThat(said(one, "POST", "/v3/batch/webhooks/secrets", TestGateway.OTHER_KEY, null, 409)
                        .toString())
                .contains("signed with an ed25519 key");
    }

    @Test
    void anAccountSubscribesWebhooks() {
        String path = "/v3/batch/webhooks/subscriptions";
        Issued key = issued("subscribing", "");
        String body =
                "{\"webhook_url\":\"hooks.example.com/data?token=secret\",\"event_types\":[\"data_version_available\"]}";
        JsonNode made = said(one, "POST", path, key.text(), body, 201);
        assertThat(made.path("webhook_url").asText()).isEqualTo("https://hooks.example.com/data?token=secret");
        assertThat(said(one, "POST", path, key.text(), body, 409).toString()).contains("is subscribed already");
        String listed = await().atMost(TIMEOUT)
                .until(
                        () -> said(two, "GET", path, key.text(), null, 200)
                                .path("subscriptions")
                                .toString(),
                        subscriptions -> !subscriptions.equals("[]"));
        assertThat(listed).isEqualTo("[" + made + "]");
        String id = made.path("id").asText();
        assertThat(said(two, "DELETE", path + "/" + id, key.text(), null, 200).toString())
                .isEqualTo("{\"subscriptions\":[]}");
        assertThat(said(one, "DELETE", path + "/" + id, key.text(), null, 404).toString())
                .contains("has no subscription " + id);
        assertThat(log.text(Topics.ACCOUNT_AUDIT))
                .contains("webhook_subscribed", "webhook_unsubscribed")
                .doesNotContain("token=secret");
    }

    @Test
    void nobodyKeepsTheOthersFromTheirChanges() {
        Issued key = issued("eager", "");
        long began = System.nanoTime();
        int answered = 0;
        HttpResponse<String> more = revoke(key, answered);
        for (; more.statusCode() == 404 && answered < 60; more = revoke(key, answered)) {
            answered++;
        }
        assertThat(more.statusCode()).as(more.body()).isEqualTo(429);
        // One more is allowed every 3 s.
        int most = 20 + (int) (Duration.ofNanos(System.nanoTime() - began).toSeconds() / 3);
        assertThat(answered).isBetween(20, most);
        assertThat(more.headers().firstValue("Retry-After"))
                .hasValueSatisfying(
                        seconds -> assertThat(Integer.parseInt(seconds)).isBetween(1, 3));
    }

    private HttpResponse<String> revoke(Issued key, int number) {
        return one.send("DELETE", "/v3/batch/keys/key_" + number, key.text(), null, Map.of());
    }

    private record Issued(String id, String text) {}

    /** A batch key of a new account. */
    private Issued issued(String account, String more) {
        ok(admin.post("", "{\"id\":\"" + account + "\",\"name\":\"" + account + "\"}"));
        return issued(ok(admin.post("/" + account + "/keys", "{\"kind\":\"batch\"" + more + "}")));
    }

    private Issued issued(JsonNode made) {
        return new Issued(made.at("/details/id").asText(), made.path("key").asText());
    }

    private static JsonNode said(
            TestGateway gateway, String method, String path, String key, @Nullable String body, int code) {
        HttpResponse<String> answer = gateway.send(
                method,
                path,
                key,
                body == null ? null : body.getBytes(StandardCharsets.UTF_8),
                body == null ? Map.of() : Map.of("Content-Type", "application/json"));
        assertThat(answer.statusCode())
                .as("%s %s: %s", method, path, answer.body())
                .isEqualTo(code);
        try {
            return Json.MAPPER.readTree(answer.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void theTerminalSaysWhatTheServiceSays() throws InterruptedException {
        assertThat(typed("create cli --name Typed --credits 20 --countries US,GB --from 2025-01-01 --to 2026-06-30"))
                .contains("\"id\" : \"cli\"", "app_engagement_data", "whsec_");
        assertThat(typed("issue-key cli batch --scopes read,request"))
                .contains("\"key\" : \"", "\"request\"")
                .doesNotContain("\"webhooks\"");
        String scoped = ok(admin.get("/cli")).at("/keys/0/id").asText();
        assertThat(typed("change-key cli " + scoped + " --scopes all")).contains("\"webhooks\"");
        assertThat(typed("issue-key cli rest --expires 2099-01-31T00:00:00Z"))
                .contains("\"expires_at\" : \"2099-01-31T00:00:00.000Z\"");
        String key = ok(admin.get("/cli")).at("/keys/1/id").asText();
        assertThat(typed("change-key cli " + key + " --label jobs --expires never"))
                .contains("\"label\" : \"jobs\"")
                .doesNotContain("expires_at");
        assertThat(typed("grant cli 30 --id g-1 --reason again")).contains("\"id\" : \"g-1\"");
        assertThat(typed("credits cli")).contains("\"remaining\" : 50");
        assertThat(typed("entitle cli --countries DE --from 2025-01-01 --to 2026-06-30 --reason moved%20away"))
                .contains("\"DE\"");
        assertThat(typed("audit cli --limit 1")).contains("\"entitlements_set\"", "\"reason\" : \"moved%20away\"");
        assertThat(typed("monthly cli none")).contains("\"id\" : \"cli\"");
        assertThat(typed("grant cli many")).contains("! <credits>: must be a whole number");
        assertThat(typed("grant nobody 1")).contains("! There is no account nobody.");
        assertThat(typed("grnat cli 1")).contains("! there is no command grnat; did you mean grant?; try --help");
        assertThat(typed("grant cli")).contains("Missing required parameter: '<credits>'; try --help");
        assertThat(typed("suspend cli --why x")).contains("Unknown options: '--why', 'x'; try --help");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            POST   |                        | {}                                            | 400 | id: is required
            POST   |                        | {"id":"a b","name":"x"}                       | 400 | id: must be 1 to 64 letters
            POST   |                        | {"id":"ok","name":""}                         | 400 | name: must be a text
            POST   |                        | {"id":"ok","name":"\\ud800"}                   | 400 | name: must be a text
            DELETE | /acme/keys/k?reason=    |                                               | 400 | reason: must be a text
            POST   |                        | {"id":"ok","name":"x","credits":-1}           | 400 | credits: must be a whole number
            POST   |                        | {"id":"ok","name":"x","credits":1.5}          | 400 | credits: must be a whole number
            POST   |                        | {"id":"ok","name":"x","credit":1}             | 400 | credit: is not a field here; did you mean credits?
            POST   |                        | {"id":"ok","name":"x","entitlements":[]}      | 400 | must be an object of categories
            POST   |                        | {"id":"acme","name":"x"}                      | 409 | there is an account acme already
            POST   |                        | not json                                      | 400 | The body must be a JSON object.
            POST   |                        | {"id":"ok","id":"ok2","name":"x"}             | 400 | The body must be a JSON object.
            GET    | /nobody                |                                               | 404 | There is no account nobody.
            POST   | /nobody/suspend        |                                               | 404 | There is no account nobody.
            POST   | /acme/suspend          | {"reason":7}                                  | 400 | reason: must be a text
            POST   | /acme/suspend          | {"because":"x"}                               | 400 | because: is not a field here
            POST   | /acme/keys             | {"kind":"admin"}                              | 400 | kind: must be batch or rest
            POST   | /acme/keys             | {"kind":"batch","dialect":"v9"}               | 400 | dialect: must be v3 or original
            POST   | /acme/keys             | {"kind":"batch","scopes":["write"]}           | 400 | scopes: must be an array of some of read, request, webhooks
            POST   | /acme/keys             | {"kind":"batch","scopes":[]}                  | 400 | scopes: must be an array of some of
            POST   | /acme/keys             | {"kind":"batch","scopes":"read"}              | 400 | scopes: must be an array of some of
            POST   | /acme/keys             | {"kind":"rest","scopes":["read"]}             | 400 | scopes: a rest key has none
            POST   | /acme/keys             | {"kind":"batch","expires_at":"soon"}          | 400 | expires_at: must be a time with its zone
            POST   | /acme/keys             | {"kind":"batch","expires_at":"2020-01-01T00:00:00Z"} | 400 | expires_at: must be a time in the future
            PATCH  | /acme/keys/key_nothing | {"label":7}                                   | 400 | label: must be a text
            PATCH  | /acme/keys/key_nothing | {"kind":"rest"}                               | 400 | kind: is not a field here
            PATCH  | /acme/keys/key_nothing | {"label":null}                                | 404 | Account acme has no key key_nothing.
            DELETE | /acme/keys/key_nothing |                                               | 404 | Account acme has no key key_nothing.
            POST   | /acme/credits/grants   | {"amount":0}                                  | 400 | amount: must be a whole number from 1
            POST   | /acme/credits/grants   | {"amount":"all"}                              | 400 | amount: must be a whole number from 1
            POST   | /acme/credits/grants   | {"amount":5,"grant_id":"opening-acme"}        | 400 | not beginning with opening
            POST   | /acme/credits/expiries | {"amount":"some"}                             | 400 | amount: must be a whole number from 1
            GET    | /acme/credits?limit=0  |                                               | 400 | limit: must be a whole number
            PUT    | /acme/monthly-credits  | {"amount":0}                                  | 400 | amount: must be a whole number from 1
            PUT    | /acme/limits           | {"open_reports":0}                            | 400 | open_reports: must be a whole number from 1
            PUT    | /acme/limits           | {"history_days":3651}                         | 400 | history_days: must be a whole number from 1
            PUT    | /acme/entitlements     | {"web_data":{}}                               | 400 | web_data: is not a category
            PUT    | /acme/entitlements     | {"app_data":{"countries":{"a":"US"},"start_date":"2025-01-01","end_date":"2025-02-01"}} | 400 | app_data.countries: must be
            POST   | /acme/suspend          | {"reason":null,"because":null}                | 400 | because: is not a field here
            PUT    | /acme/entitlements     | {"app_data":{"countries":["us"],"start_date":"2025-01-01","end_date":"2025-02-01"}} | 400 | app_data.countries: must be
            PUT    | /acme/entitlements     | {"app_data":{"countries":["US"],"start_date":"2025-03-01","end_date":"2025-02-01"}} | 400 | end_date must not be before
            PUT    | /acme/entitlements     | {"app_data":{"countries":["US"],"start_date":"soon","end_date":"2025-02-01"}}       | 400 | the dates as YYYY-MM-DD
            POST   | /acme/webhook-secrets  | {"overlap":"31d"}                             | 400 | at most 30d
            POST   | /acme/webhook-secrets  | {"overlap":5}                                 | 400 | overlap: must be a time like
            PATCH  | /acme                  |                                               | 405 | accepts GET
            GET    | /acme/nothing          |                                               | 404 | There is nothing at
            """)
    void whatIsWrongIsSaidAndNothingIsStored(String method, String path, String body, int code, String sentence) {
        long before = log.end(Topics.ACCOUNTS, Topics.ACCOUNT_AUDIT, Topics.ACCOUNT_COMMANDS);
        AdminClient.Said said = admin.send(method, path == null ? "" : path, body);
        assertThat(said.code()).as("%s", said.body()).isEqualTo(code);
        assertThat(said.errors()).anyMatch(e -> e.contains(sentence));
        assertThat(log.end(Topics.ACCOUNTS, Topics.ACCOUNT_AUDIT, Topics.ACCOUNT_COMMANDS))
                .isEqualTo(before);
    }

    @Test
    void theDocumentNamesWhatThereIs() throws IOException, InterruptedException {
        HttpResponse<String> said = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(one.adminAddress().resolve("/openapi.json"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(said.statusCode()).isEqualTo(200);
        JsonNode paths = Json.MAPPER.readTree(said.body()).path("paths");
        assertThat(paths.size()).isEqualTo(26);
        for (Map.Entry<String, JsonNode> path : paths.properties()) {
            Set<String> methods = new TreeSet<>();
            path.getValue().fieldNames().forEachRemaining(name -> methods.add(name.toUpperCase(Locale.ROOT)));
            methods.remove("PARAMETERS");
            String real = path.getKey().replaceAll("\\{[a-z_]+}", "x");
            String other = methods.contains("PATCH") ? "PUT" : "PATCH";
            HttpResponse<String> refused = said(other, one.adminAddress() + real, "admin-key", TestGateway.ADMIN_KEY);
            assertThat(Json.MAPPER.readTree(refused.body()).at("/errors/0").asText())
                    .startsWith(real + " accepts ")
                    .satisfies(sentence -> assertThat(List.of(
                                    sentence.replaceAll(".* accepts |[.]$", "").split(", ", -1)))
                            .containsExactlyInAnyOrderElementsOf(methods));
        }
    }

    /** Columns: what the sentence contains, the code, and the request with \\ for the end of a line. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            the header is missing            | key_missing | GET /%zz HTTP/1.1\\Host: a\\\\
            must name a path                 | malformed_message | GET /%zz HTTP/1.1\\Host: a\\admin-key: an-admin-key-of-the-test\\\\
            must name a path                 | malformed_message | GET a:b HTTP/1.1\\Host: a\\admin-key: an-admin-key-of-the-test\\\\
            Host: must be there once         | malformed_message | GET /admin/v1/accounts HTTP/1.1\\admin-key: an-admin-key-of-the-test\\\\
            Transfer-Encoding: must be       | malformed_message | POST /admin/v1/accounts HTTP/1.1\\Host: a\\Transfer-Encoding: xchunked\\\\
            The body is framed wrongly       | malformed_message | POST /admin/v1/accounts HTTP/1.1\\Host: a\\admin-key: an-admin-key-of-the-test\\Transfer-Encoding: chunked\\\\1\\{\\ZZ\\
            must be a valid admin key        | key_unknown | GET /admin/v1/accounts HTTP/1.1\\Host: a\\admin-key: another\\\\
            There is no account nobody       | account_not_found | GET /admin/v1/accounts/nobody HTTP/1.1\\Host: a\\admin-key: an-admin-key-of-the-test\\\\
            There is nothing at              | not_found | GET /admin/v1/nothing HTTP/1.1\\Host: a\\admin-key: an-admin-key-of-the-test\\\\
            accepts GET                      | method_not_allowed | PUT /admin/v1/reports HTTP/1.1\\Host: a\\admin-key: an-admin-key-of-the-test\\\\
            The body must not be larger      | body_too_large | POST /admin/v1/accounts HTTP/1.1\\Host: a\\admin-key: an-admin-key-of-the-test\\Content-Length: 70000\\\\{much}
            """)
    void refusesWhatIsNoCall(String sentence, String code, String message) throws IOException {
        try (var connection = new RawConnection(one.adminAddress(), TIMEOUT)) {
            connection.send(message.replace("\\", "\r\n").replace("{much}", " ".repeat(70_000)));
            RawResponse answer = connection.answer(false).orElseThrow();
            assertThat(answer.mediaType()).isEqualTo("application/problem+json");
            JsonNode problem = Json.MAPPER.readTree(answer.body());
            assertThat(problem.path("errors").path(0).asText()).contains(sentence);
            assertThat(problem.path("code").asText()).isEqualTo(code);
            assertThat(answer.status())
                    .isEqualTo(
                            ProblemCode.valueOf(code.toUpperCase(Locale.ROOT)).status());
            assertThat(answer.header("X-Request-Id"))
                    .hasSize(32)
                    .isEqualTo(problem.path("request_id").asText());
        }
    }

    /** They come with one read, and are answered in their order; what follows the last is not a call any more. */
    @Test
    void answersCallsThatComeTogether() throws IOException {
        String call = "GET /admin/v1/accounts/acme HTTP/1.1\r\nHost: a\r\nadmin-key: " + TestGateway.ADMIN_KEY + "\r\n";
        try (var connection = new RawConnection(one.adminAddress(), TIMEOUT)) {
            connection.send(call + "\r\n" + call.replace("acme", "nobody") + "\r\n" + call + "Connection: close\r\n\r\n"
                    + call + "\r\n");
            assertThat(connection.answer(false).orElseThrow().status()).isEqualTo(200);
            assertThat(connection.answer(false).orElseThrow().status()).isEqualTo(404);
            assertThat(connection.answer(false).orElseThrow().header("Connection"))
                    .isEqualTo("close");
            assertThat(connection.answer(false)).isEmpty();
        }
    }

    /** Until it is read or discarded, nothing else is read from its connection. */
    @Test
    void aBodyThatARefusalDoesNotNeedHoldsUpNothing() throws IOException {
        String body = " ".repeat(4 << 20);
        String length = "Host: a\r\nContent-Type: application/json\r\nContent-Length: " + body.length() + "\r\n\r\n";
        String adminKey = "admin-key: " + TestGateway.ADMIN_KEY + "\r\n";
        refusedThenAnswers(
                one.adminAddress(),
                404,
                "PUT /admin/v1/datasets/nothing/version HTTP/1.1\r\n" + adminKey + length + body,
                "GET /admin/v1/datasets HTTP/1.1\r\nHost: a\r\n" + adminKey + "\r\n");
        for (var call : Map.of("subscriptions", TestGateway.SECRETLESS_KEY, "secrets", TestGateway.OTHER_KEY)
                .entrySet()) {
            String key = "api-key: " + call.getValue() + "\r\n";
            refusedThenAnswers(
                    one.address(),
                    409,
                    "POST /v3/batch/webhooks/" + call.getKey() + " HTTP/1.1\r\n" + key + length + body,
                    "GET /v3/batch/credits HTTP/1.1\r\nHost: a\r\n" + key + "\r\n");
        }
    }

    private static void refusedThenAnswers(URI address, int refusal, String call, String next) throws IOException {
        try (var connection = new RawConnection(address, TIMEOUT)) {
            Thread sending = Thread.startVirtualThread(() -> connection.send(call + next));
            var refused = connection.answer(false).orElseThrow();
            assertThat(refused.status()).as(refused.text()).isEqualTo(refusal);
            assertThat(connection.answer(false).orElseThrow().status()).isEqualTo(200);
            assertThat(sending.join(TIMEOUT)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aWrongKeyOpensNothing() {
        for (String key : List.of("wrong", TestGateway.KEY)) {
            var said = new AdminClient(one.adminAddress(), key).get("");
            assertThat(said.code()).isEqualTo(401);
            assertThat(said.errors()).containsExactly("admin-key: must be a valid admin key.");
        }
        assertThat(one.get(STATUS, TestGateway.ADMIN_KEY).statusCode()).isEqualTo(401);
    }

    /** To anybody, as the documents of the API. */
    @Test
    void servesTheHandbookOfOperators() {
        String admin = one.adminAddress().toString();
        HttpResponse<String> first = said("GET", admin + "/handbook", "admin-key", "");
        assertThat(first.statusCode()).isEqualTo(302);
        assertThat(first.headers().firstValue("Location")).contains("/handbook/operation");
        for (String name : List.of("operation", "security", "troubleshooting.md", "search.json", "site.js")) {
            assertThat(said("GET", admin + "/handbook/" + name, "x", "").statusCode())
                    .as(name)
                    .isEqualTo(200);
        }
        assertThat(said("GET", admin + "/handbook/webhooks", "x", "").statusCode())
                .as("a page of clients")
                .isEqualTo(404);
    }

    /** Each port has its own routes, filters and pages: what the other one has, it does not know. */
    @Test
    void noRouteOfOneApiShowsOnTheOther() throws IOException {
        String admin = one.adminAddress().toString();
        List<String> open = new ArrayList<>(paths(one.address().toString()));
        open.addAll(List.of("/docs", "/docs/calls", "/health/liveness"));
        // Each port has a console of its own.
        open.removeAll(List.of("/", "/console"));
        for (String path : open) {
            for (String method : List.of("GET", "POST", "DELETE")) {
                var said = said(method, admin + path, "admin-key", TestGateway.ADMIN_KEY);
                assertThat(said.statusCode()).as("%s %s", method, path).isEqualTo(404);
                assertThat(said.body()).contains("There is nothing at " + path + ".\"");
                var shut = said(method, admin + path, "api-key", TestGateway.KEY);
                assertThat(shut.statusCode()).as("%s %s", method, path).isEqualTo(401);
                assertThat(shut.body()).contains("admin-key: the header is missing");
                assertThat(shut.headers().firstValue("Cache-Control")).contains("no-store");
            }
        }
        for (String path : paths(admin)) {
            for (String method : List.of("GET", "POST", "PUT", "DELETE")) {
                var said = said(method, one.address() + path, "admin-key", TestGateway.ADMIN_KEY);
                assertThat(said.statusCode()).as("%s %s", method, path).isEqualTo(404);
                assertThat(said.body()).contains("/openapi.json lists what there is");
            }
        }
    }

    @Test
    void pagesOfOtherOriginsAreShownNothing() {
        for (String origin : List.of(TestGateway.ALLOWED_ORIGIN, "https://evil.example")) {
            var answer = one.send(
                    "GET",
                    one.adminAddress() + "/admin/v1/accounts/acme",
                    null,
                    null,
                    Map.of("admin-key", TestGateway.ADMIN_KEY, "Origin", origin));
            assertThat(answer.statusCode()).isEqualTo(200);
            var preflight = one.send(
                    "OPTIONS",
                    one.adminAddress() + "/admin/v1/accounts/acme",
                    null,
                    null,
                    Map.of("Origin", origin, "Access-Control-Request-Method", "PUT"));
            assertThat(preflight.statusCode()).isBetween(400, 499);
            for (var said : List.of(answer, preflight)) {
                assertThat(said.headers().map().keySet())
                        .noneMatch(name -> name.toLowerCase(Locale.ROOT).startsWith("access-control"));
            }
        }
    }

    /** Of the document that is served there, with x for each parameter. */
    private List<String> paths(String address) throws IOException {
        JsonNode document = Json.MAPPER.readTree(
                said("GET", address + "/openapi.json", "unused", "x").body());
        List<String> paths = new ArrayList<>();
        document.path("paths").fieldNames().forEachRemaining(path -> paths.add(path.replaceAll("\\{[a-z_]+}", "x")));
        paths.removeAll(List.of("/openapi.json", "/openapi.yaml"));
        assertThat(paths).hasSizeGreaterThan(10);
        return paths;
    }

    private HttpResponse<String> said(String method, String address, String header, String key) {
        return one.send(method, address, null, null, Map.of(header, key));
    }

    private TestGateway gateway() {
        var clock = new Clock() {
            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }

            @Override
            public Instant instant() {
                return now;
            }
        };
        return TestGateway.startWithAdmin(kafka.bootstrapServers(), folder, clock);
    }

    /** What the command prints; a line on the other stream begins with an exclamation mark. */
    private String typed(String line) throws InterruptedException {
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        AdminMain.run(
                line.split(" ", -1),
                Map.of(
                        "MILLRACE_ADMIN_ADDRESS",
                        one.adminAddress().toString(),
                        "MILLRACE_ADMIN_KEY",
                        TestGateway.ADMIN_KEY),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        return out.toString(StandardCharsets.UTF_8)
                + err.toString(StandardCharsets.UTF_8).replaceAll("millrace admin[a-z -]*:", "!");
    }

    private void granted(String grantId) {
        await(grantId).atMost(TIMEOUT).until(() -> grants("monthly").contains(grantId));
    }

    private List<String> grants(String account) {
        return log.read(Topics.ACCOUNT_COMMANDS).stream()
                .filter(AccountCommand.GrantCredits.class::isInstance)
                .map(c -> ((AccountCommand.GrantCredits) c).grantId())
                .filter(id -> id.contains("-" + account))
                .toList();
    }

    private static JsonNode ok(AdminClient.Said said) {
        assertThat(said.code()).as("%s", said.body()).isBetween(200, 201);
        return said.body();
    }
}
