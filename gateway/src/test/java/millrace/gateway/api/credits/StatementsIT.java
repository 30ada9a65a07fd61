package millrace.gateway.api.credits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.time.Clock;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import millrace.contracts.CanonicalJson;
import millrace.contracts.Hashes;
import millrace.contracts.Json;
import millrace.contracts.accounts.LedgerEntry;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.reports.Status;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.requests.ApiDialect;
import millrace.contracts.topics.Topics;
import millrace.gateway.FakeProcessor;
import millrace.gateway.TestGateway;
import millrace.testing.TestKafka;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Statements and receipts at two gateways, of months that have ended. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StatementsIT {
    private static final String STATEMENTS = "/v3/batch/credits/statements";
    private static final String JWKS = "/.well-known/jwks.json";
    private static final String RULE = "1 credit per result; a report without results is free";

    @TempDir
    static Path folder;

    private final YearMonth later = YearMonth.now(ZoneOffset.UTC).minusMonths(2);
    private final YearMonth earlier = later.minusMonths(1);
    private final UUID report = UUID.randomUUID();
    private final List<LedgerEntry> entries = new ArrayList<>();

    private TestKafka kafka;
    private TestGateway first;
    private TestGateway second;
    private FakeProcessor ledger;

    @BeforeAll
    void start() {
        kafka = TestKafka.withTopics(3);
        ledger = new FakeProcessor(kafka.bootstrapServers());
        Instant begin = earlier.atDay(3).atStartOfDay(ZoneOffset.UTC).toInstant();
        complete(begin);
        enter(LedgerEntry.Kind.GRANT, null, 1000, 1000, 0, 0, begin);
        enter(LedgerEntry.Kind.RESERVATION, report, 100, 1000, 100, 0, begin.plusSeconds(1));
        enter(LedgerEntry.Kind.SETTLEMENT, report, 60, 1000, 40, 60, begin.plusSeconds(2));
        enter(LedgerEntry.Kind.RELEASE, report, 40, 1000, 0, 60, begin.plusSeconds(2));
        Instant next = later.atDay(1).atStartOfDay(ZoneOffset.UTC).toInstant();
        enter(LedgerEntry.Kind.EXPIRY, null, 10, 990, 0, 60, next);
        // Its clock was set back: it is in the month of the entry before.
        enter(LedgerEntry.Kind.GRANT, null, 5, 995, 0, 60, next.minusSeconds(1));
        enter(LedgerEntry.Kind.GRANT, null, 1, 996, 0, 60, Instant.now());
        first = gateway("first");
        second = gateway("second");
        for (TestGateway gateway : List.of(first, second)) {
            await().until(() -> gateway.get(STATEMENTS).statusCode() == 200
                    && json(gateway.get(STATEMENTS)).path("statements").size() == 2);
        }
    }

    @AfterAll
    void stop() {
        first.close();
        second.close();
        ledger.close();
        kafka.close();
    }

    private TestGateway gateway(String name) {
        return TestGateway.startWithActivity(
                kafka.bootstrapServers(),
                folder.resolve("reports"),
                folder.resolve("activity").resolve(name),
                Clock.systemUTC());
    }

    private void complete(Instant at) {
        var receipt = new ReportStatus.Receipt(100, 0, 0, RULE, List.of());
        var accepted = new ReportStatus(
                "acme",
                report,
                "demographics",
                Status.PROCESSING,
                ApiDialect.V3,
                0,
                0,
                at,
                at,
                100,
                ReportStatus.Progress.QUEUED,
                null,
                null,
                receipt,
                null,
                null,
                Map.of("team", "büro"),
                null,
                null,
                null,
                null);
        var result = new ReportStatus.Result(
                new ResultCounts(15, 60, 0),
                60,
                new StoredFile("file", 1, "0".repeat(64)),
                Instant.now().plusSeconds(999));
        List<String> ids = List.of(report + ".1.reservation", report + ".1.settlement", report + ".1.release");
        ledger.status(accepted.started(1, at)
                .completed(result, at.plusSeconds(2))
                .withReceipt(new ReportStatus.Receipt(100, 60, 40, RULE, ids)));
    }

    private void enter(
            LedgerEntry.Kind kind, @Nullable UUID of, long amount, long granted, long reserved, long used, Instant at) {
        long sequence = entries.size() + 1L;
        String word = Json.MAPPER.convertValue(kind, String.class);
        var entry = new LedgerEntry(
                of == null ? word + "-" + sequence : of + ".1." + word,
                "acme",
                sequence,
                kind,
                of,
                amount,
                granted,
                reserved,
                used,
                granted - reserved - used,
                at);
        entries.add(entry);
        ledger.put(Topics.CREDIT_LEDGER, "acme", entry);
    }

    @Test
    void bothGatewaysAnswerTheSameChain() {
        JsonNode listed = json(first.get(STATEMENTS)).path("statements");
        assertThat(json(second.get(STATEMENTS)).path("statements")).isEqualTo(listed);
        assertThat(listed.findValuesAsText("month")).containsExactly(later.toString(), earlier.toString());
        for (YearMonth month : List.of(earlier, later)) {
            HttpResponse<String> answer = first.get(STATEMENTS + "/" + month);
            assertThat(answer.statusCode()).isEqualTo(200);
            assertThat(second.get(STATEMENTS + "/" + month).body()).isEqualTo(answer.body());
            verified(json(answer), "statement");
        }
        JsonNode older = json(first.get(STATEMENTS + "/" + earlier)).path("statement");
        JsonNode newer = json(first.get(STATEMENTS + "/" + later)).path("statement");
        assertThat(older.path("entries").asLong()).isEqualTo(4);
        assertThat(older.path("entries_sha256").asText()).isEqualTo(hash(0, 4));
        assertThat(older.path("by_dataset").toString())
                .isEqualTo("[{\"credits\":60,\"dataset\":\"demographics\",\"reports\":1}]");
        assertThat(older.path("by_tag").toString())
                .isEqualTo("[{\"credits\":60,\"reports\":1,\"tag\":\"team\",\"value\":\"büro\"}]");
        assertThat(older.has("previous")).isFalse();
        assertThat(newer.path("first_sequence").asLong()).isEqualTo(5);
        assertThat(newer.path("last_sequence").asLong()).isEqualTo(6);
        assertThat(newer.path("entries_sha256").asText()).isEqualTo(hash(4, 6));
        assertThat(newer.path("opening")).isEqualTo(older.path("closing"));
        assertThat(newer.path("previous").asText())
                .isEqualTo(listed.path(1).path("sha256").asText())
                .isEqualTo(Hashes.sha256(CanonicalJson.bytes(older)));
    }

    private String hash(int from, int to) {
        var digest = Hashes.sha256();
        for (LedgerEntry entry : entries.subList(from, to)) {
            digest.update(CanonicalJson.bytes(Json.MAPPER.<JsonNode>valueToTree(entry)));
            digest.update((byte) '\n');
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    @Test
    void theFirstStatementOfAMonthCounts() {
        String made = first.get(STATEMENTS + "/" + later).body();
        byte[] other = "{\"statement\":{\"month\":\"other\"},\"signature\":\"..\"}".getBytes(StandardCharsets.UTF_8);
        ledger.put(Topics.CREDIT_STATEMENTS, "acme/" + later, other);
        try (TestGateway third = gateway("third")) {
            await().until(() -> third.get(STATEMENTS).statusCode() == 200);
            assertThat(third.get(STATEMENTS + "/" + later).body()).isEqualTo(made);
        }
    }

    @Test
    void keysThatDoNotSignAnyMoreAreShown() {
        ledger.put(Topics.CREDIT_STATEMENTS, "old", "{\"kid\":\"old\"}".getBytes(StandardCharsets.UTF_8));
        await().until(() ->
                json(first.get(JWKS, null)).path("keys").findValuesAsText("kid").contains("old"));
        assertThat(json(first.get(JWKS, null)).path("keys")).hasSize(2);
    }

    @Test
    void aStatementIsAlsoCsv() {
        HttpResponse<String> csv = first.get(STATEMENTS + "/" + earlier + "?format=csv");
        assertThat(csv.headers().firstValue("Content-Type")).contains("text/csv; charset=utf-8");
        assertThat(csv.headers().firstValue("Content-Disposition"))
                .contains("attachment; filename=\"statement-" + earlier + ".csv\"");
        assertThat(csv.body().split("\r\n", -1))
                .startsWith("month,section,name,count,credits", earlier + ",opening,granted,,0")
                .contains(
                        earlier + ",kind,settlement,1,60",
                        earlier + ",dataset,demographics,1,60",
                        earlier + ",tag,team=büro,1,60",
                        earlier + ",closing,remaining,,940",
                        earlier + ",entries_sha256," + hash(0, 4) + ",4,");
    }

    @Test
    void aReceiptHasItsEntriesAndIsSigned() {
        JsonNode signed = json(second.get("/v3/batch/credits/receipts/" + report));
        verified(signed, "receipt");
        JsonNode receipt = signed.path("receipt");
        assertThat(receipt.path("receipt").path("charged").asLong()).isEqualTo(60);
        assertThat(receipt.path("counts").path("results").asLong()).isEqualTo(60);
        assertThat(receipt.path("entries").findValuesAsText("kind"))
                .containsExactly("reservation", "settlement", "release");
        assertThat(receipt.path("entries").path(0)).isEqualTo(json(Json.text(entries.get(1))));
    }

    @Test
    void othersHaveNone() {
        assertThat(json(first.get(STATEMENTS, TestGateway.OTHER_KEY)).path("statements"))
                .isEmpty();
        assertThat(first.get(STATEMENTS + "/" + later, TestGateway.OTHER_KEY).body())
                .contains("statement_not_found");
        assertThat(first.get(STATEMENTS + "/" + YearMonth.now(ZoneOffset.UTC)).statusCode())
                .isEqualTo(404);
        assertThat(first.get("/v3/batch/credits/receipts/" + report, TestGateway.OTHER_KEY)
                        .statusCode())
                .isEqualTo(404);
    }

    /** As any library for JSON Web Signatures does it. */
    private void verified(JsonNode signed, String name) {
        String[] parts = signed.path("signature").asText().split("\\.", -1);
        JsonNode header = json(new String(Base64.getUrlDecoder().decode(parts[0]), StandardCharsets.UTF_8));
        JsonNode key = null;
        for (JsonNode one : json(second.get(JWKS, null)).path("keys")) {
            key = one.path("kid").equals(header.path("kid")) ? one : key;
        }
        assertThat(key).as("the key of " + header).isNotNull();
        byte[] payload = CanonicalJson.bytes(signed.path(name));
        String input = parts[0] + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(payload);
        try {
            byte[] prefix = HexFormat.of().parseHex("302a300506032b6570032100");
            byte[] x = Base64.getUrlDecoder().decode(key.path("x").asText());
            byte[] encoded = ByteBuffer.allocate(44).put(prefix).put(x).array();
            Signature verifier = Signature.getInstance("Ed25519");
            verifier.initVerify(KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded)));
            verifier.update(input.getBytes(StandardCharsets.US_ASCII));
            assertThat(verifier.verify(Base64.getUrlDecoder().decode(parts[2]))).isTrue();
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static JsonNode json(HttpResponse<String> answer) {
        return json(answer.body());
    }

    private static JsonNode json(String text) {
        try {
            return Json.MAPPER.readTree(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
