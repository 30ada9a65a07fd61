package millrace.notifier.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import millrace.notifier.endpoint.VirtualTimeNotifier.Receiver;
import org.junit.jupiter.api.Test;

/**
 * A thousand endpoints get a thousand events a second, in virtual time. Some hang, drip, refuse or are slow, and must
 * not delay the others.
 */
class IsolationTest {
    private static final int ENDPOINTS = 1000;
    private static final FlowRules RULES = new FlowRules(
            4,
            32,
            500,
            Duration.ofSeconds(1),
            5,
            List.of(
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(15),
                    Duration.ofSeconds(30),
                    Duration.ofMinutes(1),
                    Duration.ofMinutes(5)),
            Duration.ofSeconds(4));
    private static final Receiver HEALTHY = new Receiver(10, 40, 200);
    private static final Receiver HANGING = new Receiver(5000, 5000, 0);
    private static final Receiver DRIPPING = new Receiver(5000, 5001, 0);
    private static final Receiver REFUSING = new Receiver(1, 2, 0);

    @Test
    void deadEndpointsDoNotTouchHealthyOnes() {
        VirtualTimeNotifier alone = run(7, 500, e -> HEALTHY);
        VirtualTimeNotifier among = run(7, 500, IsolationTest::someDead);
        assertThat(among.latency(0.99, e -> e % 20 >= 4))
                .isLessThanOrEqualTo(1.2 * alone.latency(0.99, e -> e % 20 >= 4));
        assertThat(among.latency(1, e -> e % 20 >= 4))
                .as("three events of a report, one after the other")
                .isLessThanOrEqualTo(125);
        assertThat(among.attemptsOf(e -> e % 20 < 4))
                .as("200 dead endpoints in a minute: what was tried before the breaker opened, and probes")
                .isLessThan(200 * 16);
        assertThat(among.undelivered(e -> e % 20 >= 4)).isZero();
    }

    @Test
    void whatWaitedIsDeliveredOnceTheReceiversAreBackAndInOrder() {
        var world = new VirtualTimeNotifier(7, 500, 25, RULES, ENDPOINTS, IsolationTest::someDead);
        world.arrivals(Duration.ofSeconds(20), 1000);
        world.runFor(Duration.ofMinutes(2));
        world.receivers(e -> HEALTHY);
        world.runFor(Duration.ofMinutes(20));
        assertThat(world.undelivered(e -> true)).isZero();
        assertThat(world.deliveredTwice()).isZero();
        assertThat(world.firstAttemptsOutOfOrder()).isZero();
    }

    @Test
    void slowReceiversHaveALaneOfTheirOwn() {
        IntFunction<Receiver> mostAreSlow = e -> e % 5 == 0 ? HEALTHY : new Receiver(3500, 4500, 200);
        VirtualTimeNotifier lane = run(3, 400, mostAreSlow);
        assertThat(lane.latency(0.99, e -> e % 5 == 0)).isLessThan(125);
    }

    @Test
    void aBusyReceiverGetsAsMuchAsItCanTake() {
        // 100 events a second at 200 ms each need 20 at once.
        var world = new VirtualTimeNotifier(5, 500, 25, RULES, 1, e -> new Receiver(190, 210, 200));
        world.arrivals(Duration.ofMinutes(2), 100);
        world.runFor(Duration.ofMinutes(3));
        assertThat(world.undelivered(e -> true)).isZero();
        assertThat(world.latency(0.5, e -> true)).isLessThan(1000);
    }

    @Test
    void manyEventsBehindADeadEndpointCostAProbeNowAndThen() {
        var world = new VirtualTimeNotifier(5, 500, 25, RULES, 1, e -> HANGING);
        world.arrivals(Duration.ofSeconds(99), 1000);
        world.runFor(Duration.ofHours(2));
        assertThat(world.undelivered(e -> true)).isEqualTo(99_000);
        assertThat(world.attemptsOf(e -> true)).isLessThan(60);
    }

    private static Receiver someDead(int endpoint) {
        return switch (endpoint % 20) {
            case 0, 1 -> HANGING;
            case 2 -> DRIPPING;
            case 3 -> REFUSING;
            default -> HEALTHY;
        };
    }

    private static VirtualTimeNotifier run(long seed, int inFlight, IntFunction<Receiver> receivers) {
        var world = new VirtualTimeNotifier(seed, inFlight, 25, RULES, ENDPOINTS, receivers);
        world.arrivals(Duration.ofSeconds(60), 1000);
        world.runFor(Duration.ofSeconds(20));
        world.measureFromNow();
        world.runFor(Duration.ofSeconds(50));
        return world;
    }

    @Test
    void theSimulationIsTheSameEachTime() {
        assertThat(IntStream.range(0, 2)
                        .mapToObj(i -> run(9, 500, IsolationTest::someDead))
                        .map(VirtualTimeNotifier::metrics))
                .allMatch(run(9, 500, IsolationTest::someDead).metrics()::equals);
    }
}
