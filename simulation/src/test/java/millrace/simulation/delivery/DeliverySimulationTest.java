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

    static LongStream seeds() {
        return LongStream.range(0, 50);
    }

    /** Deliveries arrive at least once and in order, over kills, zombies, orderly stops and the rebalances that follow. */
    @ParameterizedTest
    @MethodSource("seeds")
    void nothingIsLostOrOutOfOrderWhateverHappensToNotifiers(long seed) {
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

    /** Without faults of notifiers a healthy receiver gets its events within a second, whatever the others do. */
    @ParameterizedTest
    @MethodSource("fewSeeds")
    void aHealthyEndpointIsNotDelayedByOthers(long seed) {
        try (var world = new DeliveryWorld(seed)) {
            Set<Host> healthy = traffic(world);
            healthy.removeIf(host -> host.name().equals("slow"));
            world.start();
            List<Request> late = new ArrayList<>();
            world.receivers.onRequest(request -> {
                EventSource.Produced event = world.source.produced().get(request.webhookId());
                if (event != null
                        && healthy.contains(event.host())
                        && request.nanos() - event.nanos() > Duration.ofSeconds(1).toNanos()) {
                    late.add(request);
                }
            });
            world.await(world.source::finished, TRAFFIC.multipliedBy(2), "all events produced");
            world.runFor(Duration.ofSeconds(2));
            assertThat(late).as("seed " + seed).isEmpty();
            assertThat(world.undelivered(healthy)).isEmpty();
        }
    }

    static LongStream fewSeeds() {
        return LongStream.range(0, 5);
    }

    private static void run(DeliveryWorld world) {
        Set<Host> mendable = traffic(world);
        Host flapping = new Host("flapping", 3);
        world.receivers.put(flapping.name(), new Receiver.Flapping(
                Duration.ofSeconds(6), Receiver.healthy(), Receiver.refusing()));
        reports(world, flapping, 10);
        mendable.add(flapping);
        world.start();
        var faults = new Faults(world);
        faults.plan(1 + world.random.nextInt(6), TRAFFIC);
        world.runFor(TRAFFIC.plusSeconds(13));
        faults.end();
        world.receivers.put(flapping.name(), Receiver.healthy());
        world.await(world.source::finished, Duration.ofSeconds(10), "all events produced");
        world.await(
                () -> world.undelivered(mendable).isEmpty(), Duration.ofSeconds(60), "all events delivered that can be");
        world.runFor(Duration.ofSeconds(5));
        assertThat(world.lost()).isEmpty();
    }

    /** Reports for receivers of every kind, in each partition; those that answer with success some day. */
    private static Set<Host> traffic(DeliveryWorld world) {
        Set<Host> delivering = new LinkedHashSet<>();
        for (int partition = 0; partition < DeliveryWorld.PARTITIONS; partition++) {
            var healthy = new Host("healthy-" + partition, partition);
            reports(world, healthy, 20);
            delivering.add(healthy);
        }
        Host slow = receiver(world, "slow", 0, Receiver.slow());
        delivering.add(slow);
        receiver(world, "dead", 1, new Receiver.Dead());
        receiver(world, "refusing", 2, Receiver.refusing());
        receiver(world, "gone", 3, Receiver.gone());
        return delivering;
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
