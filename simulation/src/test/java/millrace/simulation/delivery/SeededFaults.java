package millrace.simulation.delivery;

import java.time.Duration;
import millrace.simulation.kafka.network.NetworkFaults;

/** Faults of the notifiers and Kafka of a world, drawn from its seed. Each lasts at most {@link #LONGEST}. */
final class SeededFaults {
    static final Duration LONGEST = Duration.ofSeconds(20);

    private final DeliveryWorld world;

    SeededFaults(DeliveryWorld world) {
        this.world = world;
    }

    /** Sets latencies and losses of the network from the seed. */
    void degradeNetwork() {
        NetworkFaults network = world.kafka.network();
        network.latency(Duration.ofNanos(200_000), world.between(Duration.ofMillis(1), Duration.ofMillis(30)));
        network.lostAcknowledgements(world.random.nextInt(3) == 0 ? 0.05 : 0);
        network.visibilityDelay(world.between(Duration.ZERO, Duration.ofMillis(100)));
    }

    /** Plans a number of faults within a time from now on. */
    void plan(int number, Duration time) {
        for (int i = 0; i < number; i++) {
            NotifierProcess victim = world.notifiers.get(world.random.nextInt(world.notifiers.size()));
            world.scheduler.after(world.between(Duration.ZERO, time), () -> happen(victim));
        }
    }

    private void happen(NotifierProcess victim) {
        switch (world.random.nextInt(8)) {
            case 0 -> {
                victim.kill();
                later(50, 3_000, victim::start);
            }
            case 1 -> { // longer than the session timeout
                victim.kill();
                later(7_000, 12_000, victim::start);
            }
            case 2 -> {
                victim.pause();
                later(10, 5_000, victim::resume);
            }
            case 3 -> {
                victim.pause();
                later(7_000, 12_000, victim::resume);
            }
            case 4 -> {
                victim.stop();
                later(2_500, 8_000, victim::start);
            }
            case 5 -> {
                victim.pause();
                later(100, 9_000, () -> later(100, 9_000, victim.replacePaused()));
            }
            case 6 -> {
                Duration ahead = world.between(Duration.ofHours(-1), Duration.ofHours(1));
                world.scheduler.setClock(victim.instance(), ahead);
            }
            default -> {
                Duration outage = world.between(Duration.ofMillis(100), Duration.ofSeconds(5));
                world.kafka.network().unavailableUntil(world.scheduler.nanos() + outage.toNanos());
            }
        }
    }

    private void later(long leastMillis, long mostMillis, Runnable action) {
        world.scheduler.after(world.between(Duration.ofMillis(leastMillis), Duration.ofMillis(mostMillis)), action);
    }

    /** Ends all faults; clocks that were wrong are set again. */
    void end() {
        world.notifiers.forEach(notifier -> world.scheduler.setClock(notifier.instance(), Duration.ZERO));
        world.kafka.network().lostAcknowledgements(0);
        world.notifiers.forEach(NotifierProcess::resume);
        world.notifiers.forEach(NotifierProcess::start);
    }
}
