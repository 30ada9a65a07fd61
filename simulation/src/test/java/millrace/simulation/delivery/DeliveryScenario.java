package millrace.simulation.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import millrace.simulation.delivery.EventSource.Host;

/**
 * A scenario in a {@link DeliveryWorld}: reports to receivers of every kind, with faults. Prints the hash of a seed.
 */
final class DeliveryScenario {
    static final Duration TRAFFIC = Duration.ofSeconds(40);
    /** Time for an expired session, two rebalances, and the check for partitions without owner. */
    private static final Duration RECOVERY = Duration.ofSeconds(15);

    private DeliveryScenario() {}

    public static void main(String[] arguments) {
        System.out.print(run(Long.parseLong(arguments[0])));
    }

    /**
     * Checks that events are delivered at least once and in order, with kills, zombies, restarts, outages of Kafka and
     * rebalances, and that each partition has an owner afterwards. Returns the hash of the trace.
     */
    static long run(long seed) {
        try (var world = new DeliveryWorld(seed)) {
            run(world);
            return world.scheduler.trace().hash();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
        }
    }

    static void run(DeliveryWorld world) {
        Set<Host> healthy = healthy(world);
        failing(world);
        Host slow = receiver(world, "slow", 0, ReceiverBehaviour.slow());
        var flaps = new ReceiverBehaviour.Flapping(
                Duration.ofSeconds(6), ReceiverBehaviour.healthy(), ReceiverBehaviour.refusing());
        Host flapping = receiver(world, "flapping", 3, flaps);
        world.start();
        var faults = new SeededFaults(world);
        faults.degradeNetwork();
        faults.plan(1 + world.random.nextInt(6), TRAFFIC);
        world.runFor(TRAFFIC.plus(SeededFaults.LONGEST));
        faults.end();
        world.receivers.put(flapping.name(), ReceiverBehaviour.healthy());
        healthy.forEach(host -> world.source.report(host, Duration.ZERO, Duration.ZERO));
        world.source.start();
        world.await(world.source::finished, Duration.ofSeconds(10), "all events produced");
        world.await(() -> world.undelivered(healthy).isEmpty(), RECOVERY, "each partition has an owner that delivers");
        Set<Host> others = Set.of(slow, flapping);
        world.await(() -> world.undelivered(others).isEmpty(), Duration.ofMinutes(1), "all delivered that can be");
        world.runFor(Duration.ofSeconds(5));
        assertThat(world.lost()).as("lost").isEmpty();
    }

    /** Adds a healthy receiver in each partition, and reports for it. */
    static Set<Host> healthy(DeliveryWorld world) {
        Set<Host> hosts = new LinkedHashSet<>();
        for (int partition = 0; partition < DeliveryWorld.PARTITIONS; partition++) {
            var host = new Host("healthy-" + partition, partition);
            reports(world, host, 20);
            hosts.add(host);
        }
        return hosts;
    }

    /** Adds receivers that never accept an event, and reports for them. */
    static void failing(DeliveryWorld world) {
        receiver(world, "dead", 1, new ReceiverBehaviour.Unresponsive());
        receiver(world, "refusing", 2, ReceiverBehaviour.refusing());
        receiver(world, "gone", 3, ReceiverBehaviour.gone());
    }

    private static Host receiver(DeliveryWorld world, String name, int partition, ReceiverBehaviour receiver) {
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
