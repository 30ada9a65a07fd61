package millrace.catalog.validation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import millrace.catalog.dataset.Dataset;
import millrace.contracts.Json;
import millrace.contracts.requests.ApiDialect;
import millrace.contracts.requests.QueryHash;
import millrace.contracts.requests.ReportQuery;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class NormalisationTest {

    @Property(tries = 300)
    void orderCaseAndDuplicatesOfDomainsMakeNoDifference(@ForAll("domains") List<String> domains, @ForAll long seed) {
        assertThat(query("demographics", "domains", shaken(domains, seed)))
                .isEqualTo(query("demographics", "domains", domains));
    }

    @Property(tries = 300)
    void orderCaseAndDuplicatesOfKeywordsMakeNoDifference(
            @ForAll("keywords") List<String> keywords, @ForAll long seed) {
        Assume.that(shaken(keywords, seed).stream().noneMatch(k -> k.length() > 400));
        List<String> lower =
                keywords.stream().map(k -> k.toUpperCase(Locale.ROOT)).toList();
        assertThat(query("keywords", "keywords", shaken(lower, seed))).isEqualTo(query("keywords", "keywords", lower));
    }

    /** However a request is spelt; with other names it is another one. */
    @Property(tries = 300)
    void theSameQueryHasTheSameHash(@ForAll("domains") List<String> domains, @ForAll long seed) {
        var random = new Random(seed);
        ObjectNode plain = Json.MAPPER.createObjectNode();
        domains.forEach(plain.putArray("domains")::add);
        plain.putArray("age_groups").add("18-24").add("25-34");
        ObjectNode other =
                Json.MAPPER.createObjectNode().put("csv_safety", "none").put("offset", 0);
        boolean inside = random.nextBoolean();
        ObjectNode place = inside ? other.putObject("filters") : other;
        shaken(domains, seed).forEach(place.putArray("domains")::add);
        place.putArray(random.nextBoolean() ? "age_groups" : "age_group")
                .add("25-34")
                .add("18-24")
                .add("25-34");
        other.put("report_name", "again").put("retention_days", 30).put("max_credits", 1_000_000);
        if (inside) {
            other.putNull("domains");
        }
        String hash = hash(plain);
        assertThat(hash(other)).isEqualTo(hash);
        plain.withArray("/domains").add("one-more-" + domains.size() + ".example");
        assertThat(hash(plain)).isNotEqualTo(hash);
    }

    private static String hash(ObjectNode change) {
        return QueryHash.of(TestRequests.query("demographics", change.toString()));
    }

    @Property(tries = 300)
    void normalisingTwiceIsNormalisingOnce(@ForAll("keywords") List<String> keywords) {
        ReportQuery once = query("keywords", "keywords", keywords);
        assertThat(query("keywords", "keywords", once.entities())).isEqualTo(once);
    }

    @Property(tries = 300)
    void entitiesAreSortedByTheirUtf8Bytes(@ForAll("keywords") List<String> keywords) {
        List<byte[]> bytes = query("keywords", "keywords", keywords).entities().stream()
                .map(e -> e.getBytes(StandardCharsets.UTF_8))
                .toList();
        for (int i = 1; i < bytes.size(); i++) {
            assertThat(Arrays.compareUnsigned(bytes.get(i - 1), bytes.get(i))).isNegative();
        }
    }

    @Property(tries = 2_000)
    void noBytesMakeTheReaderThrow(@ForAll byte[] bytes) {
        for (Dataset dataset : TestRequests.CATALOG.datasets()) {
            assertThat(new RequestValidator(RequestLimits.DEFAULT)
                            .validate(dataset, bytes, TestRequests.ALL, ApiDialect.V3))
                    .isInstanceOf(CheckedRequest.Invalid.class);
        }
    }

    /** A good body with a few bytes replaced, cut out or doubled gets much further than arbitrary bytes. */
    @Property(tries = 5_000)
    void noDamageToAGoodBodyMakesTheReaderThrow(@ForAll long seed, @ForAll("datasets") String dataset) {
        var random = new Random(seed);
        byte[] body = TestRequests.body(dataset, "{\"filters\":{\"countries\":[\"US\"]},\"limit\":5}")
                .getBytes(StandardCharsets.UTF_8);
        for (int i = random.nextInt(4); i >= 0; i--) {
            body = damaged(body, random);
        }
        CheckedRequest checked = new RequestValidator(RequestLimits.DEFAULT)
                .validate(TestRequests.dataset(dataset), body, TestRequests.ALL, ApiDialect.V3);
        if (checked instanceof CheckedRequest.Invalid invalid) {
            assertThat(invalid.errors()).isNotEmpty().allMatch(e -> e.codePoints()
                    .noneMatch(Character::isISOControl));
        }
    }

    @Provide
    Arbitrary<List<String>> domains() {
        Arbitrary<String> label =
                Arbitraries.strings().alpha().numeric().ofMinLength(1).ofMaxLength(8);
        return label.map(l -> l + ".com").list().ofMinSize(1).ofMaxSize(20);
    }

    @Provide
    Arbitrary<List<String>> keywords() {
        return Arbitraries.strings()
                .withChars("aBzßéİΣ \u00a0漢")
                .withCharRange('\ue000', '\ue010')
                .ofMinLength(0)
                .ofMaxLength(6)
                .map(s -> "k" + s + (s.length() % 2 == 0 ? "👟" : ""))
                .list()
                .ofMinSize(1)
                .ofMaxSize(20);
    }

    @Provide
    Arbitrary<String> datasets() {
        return Arbitraries.of(TestRequests.CATALOG.names());
    }

    private static List<String> shaken(List<String> values, long seed) {
        var random = new Random(seed);
        List<String> shaken = new ArrayList<>();
        for (String value : values) {
            shaken.add(value);
            for (int copies = random.nextInt(3); copies > 0; copies--) {
                shaken.add(random.nextBoolean() ? value : value.toLowerCase(Locale.ROOT));
            }
        }
        Collections.shuffle(shaken, random);
        return shaken;
    }

    private static byte[] damaged(byte[] body, Random random) {
        int from = random.nextInt(body.length);
        int to = Math.min(body.length, from + random.nextInt(12));
        List<Byte> bytes = new ArrayList<>();
        for (int i = 0; i < body.length; i++) {
            if (i < from || i >= to) {
                bytes.add(body[i]);
            }
        }
        if (random.nextBoolean()) {
            int at = random.nextInt(bytes.size() + 1);
            for (int i = from; i < to; i++) {
                bytes.add(at, body[i]);
            }
        } else if (random.nextBoolean()) {
            bytes.add((byte) random.nextInt(256));
        }
        byte[] out = new byte[bytes.size()];
        for (int i = 0; i < out.length; i++) {
            out[i] = bytes.get(i);
        }
        return out.length == 0 ? new byte[] {'{'} : out;
    }

    private static ReportQuery query(String dataset, String field, List<String> values) {
        ObjectNode change = Json.MAPPER.createObjectNode();
        values.forEach(change.putArray(field)::add);
        return TestRequests.query(dataset, change.toString());
    }
}
