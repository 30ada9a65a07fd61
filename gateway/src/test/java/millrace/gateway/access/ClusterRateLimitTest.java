package millrace.gateway.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterRateLimitTest {
    private static final long MILLI = 1_000_000L;
    private static final int SECOND = 1_000;

    private long now = 42;

    /** Gateways that tell each other every 250 ms, each at a moment of its own, what 30 ms later all have read. */
    private final class Cluster {
        private final List<ClusterRateLimit> gateways;
        private final List<Told> underway = new ArrayList<>();
        private final int[] tellsAt;
        private long millis;

        Cluster(int number, Random random) {
            gateways = IntStream.range(0, number)
                    .mapToObj(i -> new ClusterRateLimit(() -> now))
                    .toList();
            tellsAt = IntStream.range(0, number).map(i -> random.nextInt(250)).toArray();
        }

        private record Told(long readAt, int by, ClusterRateLimit.Count count) {}

        void passMilli() {
            now += MILLI;
            millis++;
            for (int i = 0; i < tellsAt.length; i++) {
                if (millis % 250 == tellsAt[i]) {
                    for (var count : gateways.get(i).tell()) {
                        underway.add(new Told(millis + 30, i, count));
                    }
                }
            }
            while (!underway.isEmpty() && underway.getFirst().readAt() <= millis) {
                Told told = underway.removeFirst();
                for (int i = 0; i < gateways.size(); i++) {
                    if (i != told.by()) {
                        gateways.get(i).passedElsewhere(told.count());
                    }
                }
            }
        }

        boolean take(int gateway, int perSecond) {
            return gateways.get(gateway)
                    .take("acme", RequestRate.SUBMISSIONS, perSecond)
                    .pause()
                    .isEmpty();
        }
    }

    private record Outcome(int asked, int passed) {}

    /**
     * @param demand requests a second
     * @param gateway the one that request number n goes to
     */
    private Outcome send(Cluster cluster, int perSecond, double demand, int seconds, IntUnaryOperator gateway) {
        int asked = 0;
        int passed = 0;
        for (int milli = 0; milli < seconds * SECOND; milli++) {
            cluster.passMilli();
            for (; asked <= milli * demand / SECOND; asked++) {
                passed += cluster.take(gateway.applyAsInt(asked), perSecond) ? 1 : 0;
            }
        }
        return new Outcome(asked, passed);
    }

    private static IntUnaryOperator balancing(String name, int gateways, double demand, Random random) {
        return switch (name) {
            case "one" -> n -> 0;
            case "evenly" -> n -> n % gateways;
            case "every 5 s another" -> n -> (int) (n / demand / 5) % gateways;
            case "most to one" -> n -> random.nextInt(10) < 7 ? 0 : n % gateways;
            default -> n -> random.nextInt(gateways);
        };
    }

    @ParameterizedTest
    @CsvSource({
        "one",
        "evenly",
        "every 5 s another",
        "most to one",
        "at random",
    })
    void theLimitHoldsHoweverRequestsAreSpread(String name) {
        for (int gateways = 1; gateways <= 4; gateways++) {
            for (int perSecond : List.of(1, 5, 10, 50, 1000)) {
                for (double demand : List.of(2.0 * perSecond, 8.0 * perSecond)) {
                    var cluster = new Cluster(gateways, new Random(7));
                    var to = balancing(name, gateways, demand, new Random(8));
                    send(cluster, perSecond, demand, 5, to);
                    Outcome outcome = send(cluster, perSecond, demand, 30, to);
                    assertThat(outcome.passed() / 30.0)
                            .as("%s gateways, %s a second, asked for %s", gateways, perSecond, demand)
                            .isCloseTo(perSecond, Offset.offset(0.1 * perSecond));
                }
            }
        }
    }

    /** Also right after it has sent nothing for long. */
    @Property(tries = 200)
    void whoKeepsTheLimitIsNeverRefused(
            @ForAll @IntRange(min = 1, max = 4) int gateways,
            @ForAll @IntRange(min = 1, max = 60) int perSecond,
            @ForAll @IntRange(min = 1, max = 98) int percent,
            @ForAll @LongRange(min = 0, max = 1_000) long seed) {
        var random = new Random(seed);
        var cluster = new Cluster(gateways, random);
        Outcome outcome = send(cluster, perSecond, perSecond * percent / 100.0, 15, n -> random.nextInt(gateways));
        assertThat(outcome.passed()).isEqualTo(outcome.asked());
    }

    /** What was too much at first is missing afterwards. */
    @Property(tries = 100)
    void whatIsTooMuchForAMomentIsMissingAfterwards(
            @ForAll @IntRange(min = 2, max = 4) int gateways,
            @ForAll @IntRange(min = 5, max = 60) int perSecond,
            @ForAll @LongRange(min = 0, max = 1_000) long seed) {
        var random = new Random(seed);
        var cluster = new Cluster(gateways, random);
        int at =
                send(cluster, perSecond, 1000, 6, n -> random.nextInt(gateways)).passed();
        // A bucket at first, one of those that were empty at the end, and what is underway.
        assertThat(at).isBetween((int) (5.4 * perSecond), (int) Math.ceil(1.1 * 6 * perSecond) + 2 * perSecond);
    }

    @Test
    void aBurstAtOneGatewayIsMissingAtTheOthers() {
        var cluster = new Cluster(2, new Random(1));
        for (int i = 0; i < 10; i++) {
            assertThat(cluster.take(0, 10)).isTrue();
        }
        assertThat(cluster.take(0, 10)).isFalse();
        for (int i = 0; i < 300; i++) {
            cluster.passMilli();
        }
        int passed = 0;
        while (cluster.take(1, 10)) {
            passed++;
        }
        assertThat(passed)
                .as("what has come in since, and what may be on the way")
                .isBetween(2, 4);
    }

    @Test
    void tellsOnlyOfAccountsThatSendMuch() {
        var limit = new ClusterRateLimit(() -> now);
        for (int i = 0; i < 5; i++) {
            limit.take("quiet", RequestRate.READS, 50);
        }
        for (int i = 0; i < 6; i++) {
            limit.take("loud", RequestRate.READS, 50);
        }
        now += 200 * MILLI;
        assertThat(limit.tell())
                .containsExactly(new ClusterRateLimit.Count("loud", RequestRate.READS, 50, 6, Duration.ofMillis(200)));
        now += 50 * MILLI;
        limit.take("quiet", RequestRate.READS, 50);
        now += 50 * MILLI;
        assertThat(limit.tell())
                .as("what was kept back counts with what comes later, each with its age")
                .containsExactly(
                        new ClusterRateLimit.Count("quiet", RequestRate.READS, 50, 5, Duration.ofMillis(300)),
                        new ClusterRateLimit.Count("quiet", RequestRate.READS, 50, 1, Duration.ofMillis(50)));
        assertThat(limit.tell()).isEmpty();
    }

    @Test
    void keepsAccountsOnlyWhileTheySend() {
        var limit = new ClusterRateLimit(() -> now);
        limit.take("acme", RequestRate.READS, 50);
        limit.passedElsewhere(new ClusterRateLimit.Count("other", RequestRate.READS, 50, 50, Duration.ZERO));
        assertThat(limit.tell()).isEmpty();
        assertThat(limit.size()).isEqualTo(2);
        now += 2 * SECOND * MILLI;
        assertThat(limit.tell()).isEmpty();
        assertThat(limit.size())
                .as("acme has something that may have to be told")
                .isEqualTo(1);
        now += 10 * SECOND * MILLI;
        assertThat(limit.tell()).isEmpty();
        assertThat(limit.size()).isZero();
    }

    @Test
    void whoHearsNobodyLetsItsPartThrough() {
        var limit = new ClusterRateLimit(() -> now);
        limit.divideBy(4);
        int passed = 0;
        for (int milli = 0; milli < 10 * SECOND; milli++) {
            now += MILLI;
            passed += limit.take("acme", RequestRate.READS, 10).pause().isEmpty() ? 1 : 0;
        }
        assertThat(passed).isBetween(25, 28);
        assertThat(limit.tell()).as("nobody counts it later").isEmpty();
        assertThat(limit.take("small", RequestRate.READS, 1).pause()).isEmpty();
        assertThat(limit.take("small", RequestRate.READS, 1).pause()).contains(Duration.ofSeconds(4));
        limit.divideBy(1);
        now += SECOND * MILLI;
        passed = 0;
        while (limit.take("acme", RequestRate.READS, 10).pause().isEmpty()) {
            passed++;
        }
        assertThat(passed).isEqualTo(10);
    }

    /** The sum of what others say has an end, however wrong it is. */
    @Test
    void nobodyWaitsLongerThanElevenSeconds() {
        var limit = new ClusterRateLimit(() -> now);
        limit.passedElsewhere(
                new ClusterRateLimit.Count("acme", RequestRate.READS, 10, Integer.MAX_VALUE, Duration.ZERO));
        assertThat(limit.take("acme", RequestRate.READS, 10).pause().orElseThrow())
                .isLessThan(Duration.ofSeconds(11));
        assertThat(limit.take("acme", RequestRate.SUBMISSIONS, 10).pause()).isEmpty();
    }
}
