package millrace.simulation.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;
import millrace.simulation.delivery.EventSource.Host;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The real notifier over simulated Kafka and receivers. A seed that fails does so each time. */
class DeliverySimulationTest {
    private static final Duration TRAFFIC = Duration.ofSeconds(40);
    /** A session that has expired, two rebalances, and the search for partitions without owner. */
    private static final Duration RECOVERY = Duration.ofSeconds(15);

    static LongStream seeds() {
        return LongStream.range(0, 50);
    }

    /**
     * Events are delivered at least once and in order, over kills, zombies, orderly stops, outages of Kafka and the rebalances
     * that follow; afterwards each partition has an owner again.
     */
    @ParameterizedTest
    @MethodSource("seeds")
    void nothingIsLostOrOutOfOrder(long seed) {
        try (var world = new DeliveryWorld(seed)) {
            run(world);
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("seed " + seed, e);
        }
    }

    @Test
    void aSeedIsTheSameEachTime() {
        List<Long> hashes = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            try (var world = new DeliveryWorld(7)) {
                run(world);
                hashes.add(world.scheduler.trace().hash());
            }
        }
        assertThat(hashes.get(1)).isEqualTo(hashes.get(0));
    }

    /** Where nothing happens to notifiers a healthy receiver gets each event once, within a second, whatever the others do. */
    @ParameterizedTest
    @MethodSource("fewSeeds")
    void aHealthyEndpointIsNotDelayedByOthers(long seed) {
        try (var world = new DeliveryWorld(seed)) {
            Set<Host> healthy = healthy(world);
            sick(world);
            world.start();
            List<Request> late = new ArrayList<>();
            world.receivers.onRequest(request -> {
                EventSource.Produced event = world.source.produced().get(request.webhookId());
                if (event != null
                        && healthy.contains(event.host())
                        && request.nanos() - event.nanos()
                                > Duration.ofSeconds(1).toNanos()) {
                    late.add(request);
                }
            });
            world.await(world.source::finished, TRAFFIC.multipliedBy(2), "all events produced");
            world.runFor(Duration.ofSeconds(2));
            assertThat(late).as("seed " + seed).isEmpty();
            assertThat(world.undelivered(healthy)).isEmpty();
            assertThat(world.receivers.requests().stream()
                            .filter(request -> request.host().startsWith("healthy"))
                            .map(Request::webhookId))
                    .doesNotHaveDuplicates();
        }
    }

    static LongStream fewSeeds() {
        return LongStream.range(0, 5);
    }

    static void run(DeliveryWorld world) {
        Set<Host> healthy = healthy(world);
        sick(world);
        Host slow = receiver(world, "slow", 0, Receiver.slow());
        Host flapping = receiver(
                world,
                "flapping",
                3,
                new Receiver.Flapping(Duration.ofSeconds(6), Receiver.healthy(), Receiver.refusing()));
        world.start();
        var faults = new Faults(world);
        faults.degradeNetwork();
        faults.plan(1 + world.random.nextInt(6), TRAFFIC);
        world.runFor(TRAFFIC.plusSeconds(20));
        faults.end();
        world.receivers.put(flapping.name(), Receiver.healthy());
        healthy.forEach(host -> world.source.report(host, Duration.ZERO, Duration.ZERO));
        world.source.start();
        world.await(world.source::finished, Duration.ofSeconds(10), "all events produced");
        world.await(() -> world.undelivered(healthy).isEmpty(), RECOVERY, "each partition has an owner that delivers");
        world.await(
                () -> world.undelivered(Set.of(slow, flapping)).isEmpty(),
                Duration.ofSeconds(60),
                "all events delivered that can be");
        world.runFor(Duration.ofSeconds(5));
        assertThat(world.lost()).isEmpty();
    }

    /** Reports for a healthy receiver in each partition. */
    private static Set<Host> healthy(DeliveryWorld world) {
        Set<Host> hosts = new LinkedHashSet<>();
        for (int partition = 0; partition < DeliveryWorld.PARTITIONS; partition++) {
            var host = new Host("healthy-" + partition, partition);
            reports(world, host, 20);
            hosts.add(host);
        }
        return hosts;
    }

    /** Reports for receivers that never take an event. */
    private static void sick(DeliveryWorld world) {
        receiver(world, "dead", 1, new Receiver.Dead());
        receiver(world, "refusing", 2, Receiver.refusing());
        receiver(world, "gone", 3, Receiver.gone());
    }

    private static Host receiver(DeliveryWorld world, String name, int partition, Receiver receiver) {
        world.receivers.put(name, receiver);
        var host = new Host(name, partition);
        reports(world, host, 10);
        return host;
    }

    private static void reports(DeliveryWorld world, Host host, int number) {
        for (int i = 0; i < number; i++) {
            world.source.report(host, world.between(Duration.ZERO, TRAFFIC), Duration.ofSeconds(1));
        }
    }
}
