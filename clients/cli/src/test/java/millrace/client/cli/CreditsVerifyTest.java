package millrace.client.cli;

import static millrace.client.cli.TestService.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Signature;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import millrace.client.cli.output.Json;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A ledger of 3,601 entries in three months, and what {@code credits verify} says of a copy in which something is changed. */
class CreditsVerifyTest {
    private static final int REPORTS = 400;
    private static final KeyPair PAIR = pair();
    private static final List<String> BALANCE = List.of("granted", "remaining", "reserved", "used");

    @TempDir
    Path home;

    private final List<ObjectNode> entries = new ArrayList<>();
    private final List<ObjectNode> reports = new ArrayList<>();
    private final List<ObjectNode> statements = new ArrayList<>();

    @BeforeEach
    void ledger() throws Exception {
        enter("grant", 1_000_000, null, 8, 0);
        for (int month = 8; month <= 10; month++) {
            int from = month == 8 ? 0 : entries.size();
            for (int i = 0; i < REPORTS; i++) {
                String id = String.format(Locale.ROOT, "00000000-0000-4000-8000-%06d%06d", month, i);
                enter("reservation", 100, id, month, i);
                enter("settlement", 60, id, month, i);
                enter("release", 40, id, month, i);
                reports.add(
                        (ObjectNode)
                                Json.read(
                                        "{\"report_id\":\"" + id + "\",\"dataset\":\"keywords\",\"tags\":{\"n\":\""
                                                + i % 3
                                                + "\"},\"result\":{\"counts\":{\"rows\":9,\"results\":1499,\"revealed\":0}},\"receipt\":{\"price_rule\":"
                                                + "\"1 credit per 25 results, rounded up once per report; a report without results is free\"}}"));
            }
            statements.add(statement(entries.subList(from, entries.size()), month));
        }
        Files.writeString(home.resolve("keys"), keys().toString());
        write("reports", reports);
    }

    @Test
    void whatWasNotChangedIsValid() throws Exception {
        Typed.Result result = verify("--reports", home.resolve("reports").toString());
        assertThat(result.err()).isEqualTo("prices checked: 1,200, not known: 0\n");
        assertThat(result.out()).isEqualTo("valid: 3 statements of acme, 2026-08 to 2026-10, 3,601 entries\n");
        assertThat(result.code()).isZero();
        assertThat(verify("--json", "--from", "2026-09").out())
                .contains("\"statements\" : 2", "\"entries\" : 2400", "\"prices_not_known\" : 800");
    }

    @Test
    void anAnswerThatIsLostIsTold() throws Exception {
        assertThat(verify().code()).isZero();
        Typed.Result lost = run(new Typed(home).toAFullDisk());
        assertThat(lost.code()).isEqualTo(1);
        assertThat(lost.err()).contains("the output could not be written");
    }

    @Test
    void entriesAfterTheLastStatementAreCheckedByTheirBalances() throws Exception {
        enter("reservation", 1, "00000000-0000-4000-8000-000011000000", 11, 0);
        assertThat(verify().err()).contains("entries in none of these statements: 1; their balances are right");
        entries.getLast().put("amount", 2);
        assertThat(misfit()).startsWith("entry 3602 (");
    }

    @Test
    void anotherAmountIsNamed() throws Exception {
        entries.get(1_822).put("amount", 61);
        assertThat(misfit())
                .startsWith("entry 1823 (" + entries.get(1_822).path("entry_id").asText()
                        + "): its kind and amount lead from the balance before it to ");
    }

    /** What a report cost, and all balances after it: everything fits but the marks, of which every tenth entry has one. */
    @Test
    void aChangeOfAllThatFollowsIsNamedByItsMark() throws Exception {
        ObjectNode settlement = entries.get(1_823);
        settlement
                .put("amount", 70)
                .put("reserved", 30)
                .put("used", settlement.path("used").asLong() + 10);
        entries.get(1_824).put("amount", 30);
        for (ObjectNode entry : entries.subList(1_824, entries.size())) {
            entry.put("used", entry.path("used").asLong() + 10)
                    .put("remaining", entry.path("remaining").asLong() - 10);
        }
        assertThat(misfit())
                .isEqualTo("one of the entries 1822 to 1831 is not what it was when the statement of 2026-09 was made");
        assertThat(verify("--reports", home.resolve("reports").toString()).err())
                .contains("entry 1824 (", "it charges 70 credits, and its report costs 60");
    }

    @Test
    void anotherTimeIsNamedByItsMark() throws Exception {
        entries.get(1_822).put("occurred_at", "2026-09-09T09:09:09.999Z");
        assertThat(misfit())
                .isEqualTo("one of the entries 1822 to 1831 is not what it was when the statement of 2026-09 was made");
    }

    @Test
    void whatIsDeletedIsNamed() throws Exception {
        String next = entries.get(1_823).path("entry_id").asText();
        entries.remove(1_822);
        assertThat(misfit()).isEqualTo("entry 1823 is missing: entry 1824 (" + next + ") comes in its place");
    }

    @Test
    void whatIsSwappedIsNamed() throws Exception {
        Collections.swap(entries, 1_822, 1_823);
        assertThat(misfit()).startsWith("entry 1823 is missing: entry 1824 (");
    }

    @Test
    void whatIsSwappedWithItsNumbersIsNamed() throws Exception {
        ObjectNode one = entries.get(1_822);
        ObjectNode other = entries.get(1_823);
        long sequence = one.path("sequence").asLong();
        Collections.swap(entries, 1_822, 1_823);
        other.put("sequence", sequence);
        one.put("sequence", sequence + 1);
        assertThat(misfit()).startsWith("entry 1823 (");
    }

    @Test
    void whatIsCutIsNamed() throws Exception {
        List<ObjectNode> all = List.copyOf(entries);
        entries.subList(3_000, entries.size()).clear();
        assertThat(misfit())
                .isEqualTo(
                        "entry 3001 is missing: the entries end before it, and the statement of 2026-10 goes to entry 3601");
        entries.clear();
        entries.addAll(all.subList(40, all.size()));
        assertThat(misfit()).startsWith("entry 1 is missing: entry 41 (");
        entries.clear();
        assertThat(misfit()).startsWith("entry 1 is missing: the entries end before it");
    }

    @Test
    void whatComesTwiceIsNamed() throws Exception {
        entries.add(1_823, entries.get(1_822));
        assertThat(misfit()).startsWith("entry 1823 (").endsWith("comes after entry 1823");
    }

    @Test
    void anEntryOfAnotherReportIsNamed() throws Exception {
        String other = entries.get(1).path("report_id").asText();
        entries.get(1_822).put("report_id", other);
        assertThat(misfit()).startsWith("entry 1823 (").contains("its id is not that of a");
        entries.get(1_822)
                .put("entry_id", other + ".1." + entries.get(1_822).path("kind").asText());
        assertThat(misfit())
                .as("the charge of which nothing is reserved now")
                .startsWith("entry 1824 (")
                .contains("0 are reserved for its report");
    }

    /** Of who keeps the books: the statement is right about a charge that is wrong. */
    @Test
    void aPriceThatIsNotThatOfItsCountsIsNamed() throws Exception {
        ((ObjectNode) reports.get(600).path("result").path("counts")).put("results", 1_000);
        write("reports", reports);
        Typed.Result result = verify("--reports", home.resolve("reports").toString());
        assertThat(result.code()).isEqualTo(7);
        assertThat(result.err()).contains("entry 1803 (", "it charges 60 credits, and its report costs 40");
        reports.get(600).put("dataset", "site_keywords");
        ((ObjectNode) reports.get(600).path("result").path("counts")).put("results", 1_499);
        write("reports", reports);
        assertThat(verify("--reports", home.resolve("reports").toString()).err())
                .contains("the statement of 2026-09 has other sums in by_dataset than its entries give");
    }

    @Test
    void aStatementThatIsChangedOrOfAnotherKeyIsNamed() throws Exception {
        ((ObjectNode) statements.get(1).path("statement")).put("entries", 1_201);
        assertThat(misfit()).isEqualTo("the statement of 2026-09 is not what was signed");
        Files.writeString(home.resolve("keys"), "{\"keys\":[]}");
        assertThat(misfit()).startsWith("the statement of 2026-08 was signed by key ");
    }

    /** The service has the key, and makes a history of its own from the second month on. */
    @Test
    void aStatementThatDoesNotFollowTheOneThatWasKeptIsNamed() throws Exception {
        ObjectNode kept = statements.getFirst();
        entries.get(5).put("occurred_at", "2026-08-09T09:09:09.000Z");
        statements.clear();
        statements.add(statement(entries.subList(0, 1_201), 8));
        statements.add(statement(entries.subList(1_201, 2_401), 9));
        entries.subList(2_401, entries.size()).clear();
        assertThat(verify().code()).isZero();
        statements.set(0, kept);
        assertThat(misfit()).isEqualTo("the statement of 2026-09 does not follow that of 2026-08");
        statements.removeLast();
        assertThat(misfit())
                .isEqualTo("one of the entries 1 to 10 is not what it was when the statement of 2026-08 was made");
    }

    @Test
    void theServiceIsAskedForWhatIsNotThere() throws Exception {
        try (TestService service = TestService.start()) {
            ArrayNode list = Json.object().putArray("statements");
            for (ObjectNode signed : statements.reversed()) {
                String month = signed.path("statement").path("month").asText();
                list.addObject().put("month", month);
                service.on("GET /v3/batch/credits/statements/" + month, json(200, signed.toString()));
            }
            service.on("GET /v3/batch/credits/statements", json(200, "{\"statements\":" + list + "}"))
                    .on("GET /.well-known/jwks.json", json(200, keys().toString()));
            List<TestService.Reply> pages = new ArrayList<>();
            for (int to = entries.size(); to > 0; to -= 1_000) {
                ArrayNode page = Json.object().putArray("entries");
                for (ObjectNode entry :
                        entries.subList(Math.max(0, to - 1_000), to).reversed()) {
                    ObjectNode shown = entry.deepCopy();
                    shown.remove("account_id");
                    page.add(entry.has("report_id") ? shown.put("dataset", "keywords") : shown);
                }
                String next = to > 1_000 ? "\"next\"" : "null";
                pages.add(json(200, "{\"entries\":" + page + ",\"next_cursor\":" + next + "}"));
            }
            service.on("GET /v3/batch/credits/entries", pages.toArray(TestService.Reply[]::new));
            Typed.Result result = new Typed(home, service).run("credits", "verify");
            assertThat(result.err()).isEqualTo("prices were not checked: --prices or --reports does\n");
            assertThat(result.out()).startsWith("valid: 3 statements of acme");
            assertThat(service.requests("GET /v3/batch/credits/entries")
                            .getFirst()
                            .uri()
                            .getQuery())
                    .isEqualTo("from=2026-07-01&limit=1000");

            assertThat(new Typed(home, service)
                            .run("credits", "statements", "2026-09")
                            .out())
                    .contains("\"signature\" : \"");
            ObjectNode receipt = reports.getFirst().deepCopy();
            receipt.set("counts", Json.read("{\"results\":1000}"));
            service.on("GET /v3/batch/credits/entries", pages.toArray(TestService.Reply[]::new))
                    .otherwise(json(200, signed("receipt", receipt).toString()));
            assertThat(new Typed(home, service)
                            .run("credits", "verify", "--prices")
                            .err())
                    .contains("entry 3 (", "it charges 60 credits, and its report costs 40");
        }
    }

    @Test
    void saysWhatIsWrongWithFilesAndMonths() throws Exception {
        assertThat(verify("--from", "2026-9").err()).contains("a month is like 2026-01, and not: 2026-9");
        assertThat(verify("--from", "2027-01").err()).contains("there is no statement of these months");
        Files.writeString(home.resolve("keys"), "{}\n{\"keys\":");
        assertThat(verify().err()).contains("keys has no JSON in line 2");
    }

    /** The vectors of {@code docs/reference/statements.md}. */
    @Test
    void theVectorsOfThePageAreValid() throws Exception {
        for (String name : List.of("entries", "reports", "statements", "keys")) {
            Matcher block = Pattern.compile("<!-- vector: " + name + " -->\n\n```json\n(.*?)```", Pattern.DOTALL)
                    .matcher(Files.readString(Path.of("../../docs/reference/statements.md")));
            assertThat(block.find()).as(name).isTrue();
            Files.writeString(home.resolve(name), block.group(1));
        }
        Typed.Result result =
                run(new Typed(home), "--reports", home.resolve("reports").toString());
        assertThat(result.out()).isEqualTo("valid: 2 statements of acme, 2026-10 to 2026-11, 8 entries\n");
        assertThat(result.err()).isEqualTo("prices checked: 2, not known: 0\n");
    }

    private String misfit() throws IOException {
        Typed.Result result = verify();
        assertThat(result.code()).as(result.err()).isEqualTo(7);
        return result.err().replaceFirst("^millrace[a-z ]*: ", "").strip();
    }

    private Typed.Result verify(String... more) throws IOException {
        write("entries", entries);
        write("statements", statements);
        return run(new Typed(home), more);
    }

    private Typed.Result run(Typed typed, String... more) {
        List<String> words = new ArrayList<>(List.of("credits", "verify"));
        words.addAll(List.of("--topic", home.resolve("entries").toString()));
        words.addAll(List.of("--statements", home.resolve("statements").toString()));
        words.addAll(List.of("--keys", home.resolve("keys").toString()));
        words.addAll(Arrays.asList(more));
        return typed.run(words.toArray(String[]::new));
    }

    private void write(String name, List<ObjectNode> values) throws IOException {
        Files.writeString(
                home.resolve(name), values.stream().map(JsonNode::toString).collect(Collectors.joining("\n")));
    }

    private void enter(String kind, long amount, @Nullable String report, int month, int second) {
        ObjectNode before = entries.isEmpty()
                ? Json.object()
                        .put("granted", 0)
                        .put("remaining", 0)
                        .put("reserved", 0)
                        .put("used", 0)
                : entries.getLast();
        List<Integer> moves =
                switch (kind) {
                    case "grant" -> List.of(1, 1, 0, 0);
                    case "reservation" -> List.of(0, -1, 1, 0);
                    case "settlement" -> List.of(0, 0, -1, 1);
                    default -> List.of(0, 1, -1, 0);
                };
        ObjectNode entry = Json.object()
                .put("entry_id", report == null ? kind : report + ".1." + kind)
                .put("account_id", "acme")
                .put("sequence", entries.size() + 1)
                .put("kind", kind)
                .put("amount", amount)
                .put(
                        "occurred_at",
                        String.format(Locale.ROOT, "2026-%02d-02T08:%02d:%02d.000Z", month, second / 60, second % 60));
        for (int i = 0; i < BALANCE.size(); i++) {
            entry.put(BALANCE.get(i), before.path(BALANCE.get(i)).asLong() + moves.get(i) * amount);
        }
        entries.add(report == null ? entry : entry.put("report_id", report));
    }

    /** Signed, and after the one before, if there is one. */
    private ObjectNode statement(List<ObjectNode> of, int month) throws Exception {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        ObjectNode statement = Json.object();
        ArrayNode marks = statement.putObject("marks").put("every", 10).putArray("sha256");
        Map<String, Long> kinds = new TreeMap<>();
        long[] tags = new long[3];
        for (int i = 0; i < of.size(); i++) {
            digest.update((canonical(of.get(i)) + "\n").getBytes(StandardCharsets.UTF_8));
            if ((i + 1) % 10 == 0) {
                marks.add(HexFormat.of()
                        .formatHex(((MessageDigest) digest.clone()).digest())
                        .substring(0, 8));
            }
            String kind = of.get(i).path("kind").asText();
            if (kind.equals("settlement")) {
                tags[Math.toIntExact(kinds.getOrDefault(kind, 0L) % 3)]++;
            }
            kinds.merge(kind, 1L, Long::sum);
        }
        ObjectNode first = of.getFirst();
        statement
                .put("account_id", "acme")
                .put("month", String.format(Locale.ROOT, "2026-%02d", month))
                .put("first_sequence", first.path("sequence").asInt())
                .put("last_sequence", of.getLast().path("sequence").asInt())
                .put("entries", of.size())
                .put("tags_left_out", 0)
                .put("entries_sha256", HexFormat.of().formatHex(digest.digest()));
        ObjectNode opening = balance(first);
        if (first.path("kind").asText().equals("grant")) {
            opening.put("granted", 0).put("remaining", 0);
        } else {
            opening.put("remaining", opening.path("remaining").asInt() + 100).put("reserved", 0);
        }
        statement.set("opening", opening);
        statement.set("closing", balance(of.getLast()));
        ArrayNode byKind = statement.putArray("by_kind");
        kinds.forEach((kind, count) -> byKind.addObject()
                .put("kind", kind)
                .put("entries", count)
                .put(
                        "credits",
                        count
                                * of.stream()
                                        .filter(e -> e.path("kind").asText().equals(kind))
                                        .findFirst()
                                        .orElseThrow()
                                        .path("amount")
                                        .asLong()));
        statement
                .putArray("by_dataset")
                .addObject()
                .put("dataset", "keywords")
                .put("reports", REPORTS)
                .put("credits", REPORTS * 60);
        ArrayNode byTag = statement.putArray("by_tag");
        for (int i = 0; i < tags.length; i++) {
            byTag.addObject()
                    .put("tag", "n")
                    .put("value", "" + i)
                    .put("reports", tags[i])
                    .put("credits", tags[i] * 60);
        }
        if (!statements.isEmpty()) {
            String before = canonical(statements.getLast().path("statement"));
            statement.put(
                    "previous",
                    HexFormat.of()
                            .formatHex(MessageDigest.getInstance("SHA-256")
                                    .digest(before.getBytes(StandardCharsets.UTF_8))));
        }
        return signed("statement", statement);
    }

    private static ObjectNode balance(ObjectNode entry) {
        ObjectNode balance = Json.object();
        BALANCE.forEach(field -> balance.put(field, entry.path(field).asInt()));
        return balance;
    }

    private static ObjectNode signed(String name, ObjectNode content) throws GeneralSecurityException {
        String header = base64("{\"alg\":\"EdDSA\",\"kid\":\"one\"}".getBytes(StandardCharsets.UTF_8));
        Signature signature = Signature.getInstance("Ed25519");
        signature.initSign(PAIR.getPrivate());
        signature.update((header + "." + base64(canonical(content).getBytes(StandardCharsets.UTF_8)))
                .getBytes(StandardCharsets.UTF_8));
        ObjectNode signed = Json.object();
        signed.set(name, content);
        return signed.put("signature", header + ".." + base64(signature.sign()));
    }

    private static ObjectNode keys() {
        byte[] encoded = PAIR.getPublic().getEncoded();
        ObjectNode keys = Json.object();
        keys.putArray("keys")
                .addObject()
                .put("kid", "one")
                .put("x", base64(Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length)));
        return keys;
    }

    /** Of fields in any order, with texts that need no escapes. */
    private static String canonical(JsonNode node) {
        if (node.isObject()) {
            Map<String, String> fields = new TreeMap<>();
            node.properties().forEach(field -> fields.put(field.getKey(), canonical(field.getValue())));
            return fields.entrySet().stream()
                    .map(field -> "\"" + field.getKey() + "\":" + field.getValue())
                    .collect(Collectors.joining(",", "{", "}"));
        }
        if (node.isArray()) {
            List<String> values = new ArrayList<>();
            node.forEach(value -> values.add(canonical(value)));
            return "[" + String.join(",", values) + "]";
        }
        return node.toString();
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static KeyPair pair() {
        try {
            return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }
}
