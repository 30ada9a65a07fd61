package millrace.catalog.validation;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import millrace.contracts.requests.ApiDialect;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Large bodies, made to cost as much as they can: what they cost must grow with their size, not with its square. */
class HostileBodiesTest {
    private static final int LARGE = 4 << 20;
    /** The largest that is taken in. */
    private static final int LARGEST = 64 << 20;

    private static final int GROWTH = 16;
    /** Below it, the first use of a class decides. */
    private static final Duration LEAST_COST = Duration.ofMillis(1);

    static Stream<Arguments> bodies() {
        return Stream.of(
                Arguments.of("one domain, again and again", "{\"domains\":[", each(i -> "\"a.com\""), "]}"),
                Arguments.of("as many domains as fit", "{\"domains\":[", each(i -> "\"d" + i + "\""), "]}"),
                Arguments.of("domains that are none", "{\"domains\":[", each(i -> "\"_" + i + "\""), "]}"),
                Arguments.of("elements of a wrong type", "{\"domains\":[", each(i -> "1"), "]}"),
                Arguments.of("metrics that nobody knows", "{\"metrics\":[", each(i -> "\"m" + i + "\""), "]}"),
                Arguments.of("fields that nobody knows", "{", each(i -> "\"f" + i + "\":1"), "}"),
                Arguments.of("one field, again and again", "{", each(i -> "\"limit\":1"), "}"),
                Arguments.of("one long text", "{\"domains\":[\"", (IntFunction<String>) i -> "a".repeat(1_000), "\"]}"),
                Arguments.of("deep arrays", "{\"x\":", (IntFunction<String>) i -> "[".repeat(1_000), "}"),
                Arguments.of("white space", "{", (IntFunction<String>) i -> " ".repeat(1_000), "}"),
                Arguments.of("numbers", "{\"filters\":{\"category_ids\":[", each(i -> String.valueOf(i)), "]}}"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bodies")
    void areRefusedAtACostThatFollowsTheirSize(String name, String start, IntFunction<String> part, String end) {
        followsTheSize(LARGE, start, part, end);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bodies")
    @Tag("thorough")
    void soAreTheLargest(String name, String start, IntFunction<String> part, String end) {
        followsTheSize(LARGEST, start, part, end);
    }

    private static void followsTheSize(int size, String start, IntFunction<String> part, String end) {
        long cost = refuse(body(size / GROWTH, start, part, end)).toNanos();
        long grown = refuse(body(size, start, part, end)).toNanos();
        // In proportion it would be 16 times as much, by the square 256 times.
        assertThat(grown).isLessThan(GROWTH * GROWTH / 4 * Math.max(cost, LEAST_COST.toNanos()));
    }

    private static byte[] body(int size, String start, IntFunction<String> part, String end) {
        var body = new StringBuilder(size + 2_000).append(start);
        for (int i = 0; body.length() < size; i++) {
            body.append(part.apply(i));
        }
        if (body.charAt(body.length() - 1) == ',') {
            body.setLength(body.length() - 1);
        }
        return body.append(end).toString().getBytes(StandardCharsets.US_ASCII);
    }

    /** The CPU time of this thread, which other load does not change. */
    private static Duration refuse(byte[] body) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadCpuTime();
        CheckedRequest checked = new RequestValidator(RequestLimits.DEFAULT)
                .validate(TestRequests.dataset("traffic_and_engagement"), body, TestRequests.ALL, ApiDialect.V3);
        Duration cost = Duration.ofNanos(threads.getCurrentThreadCpuTime() - before);
        assertThat(checked).isInstanceOfSatisfying(CheckedRequest.Invalid.class, invalid -> assertThat(invalid.errors())
                .hasSizeBetween(1, 101));
        return cost;
    }

    @Test
    void aMillionDomainsAreAccepted() {
        String domains = IntStream.range(0, 1_000_000)
                .mapToObj(i -> "\"d" + (i * 7_919L % 1_000_000) + ".com\"")
                .collect(Collectors.joining(","));
        String body =
                TestRequests.body("traffic_and_engagement", "{\"domains\":[]}").replace("[]", "[" + domains + "]");
        CheckedRequest.Valid valid = TestRequests.valid("traffic_and_engagement", body);
        var query = valid.request().query();
        assertThat(query.entities()).hasSize(10).startsWith("d0.com", "d1.com", "d10.com");
        assertThat(query.entityList()).isNotNull().satisfies(list -> assertThat(list.count())
                .isEqualTo(1_000_000));
        assertThat(valid.quote().credits()).isEqualTo(30_000_000);
    }

    private static IntFunction<String> each(IntFunction<String> element) {
        return i -> element.apply(i) + ",";
    }
}
