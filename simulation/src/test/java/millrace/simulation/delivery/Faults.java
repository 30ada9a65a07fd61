package millrace.simulation.delivery;

import java.time.Duration;

/** What happens to the notifiers of a world, drawn from its seed: each fault is over after at most 12 s. */
final class Faults {
    private final DeliveryWorld world;

    Faults(DeliveryWorld world) {
        this.world = world;
    }

    /** So many within that time from now on. */
    void plan(int number, Duration time) {
        for (int i = 0; i < number; i++) {
            NotifierProcess victim = world.notifiers.get(world.random.nextInt(world.notifiers.size()));
            world.scheduler.after(world.between(Duration.ZERO, time), () -> happen(victim));
        }
    }

    private void happen(NotifierProcess victim) {
        switch (world.random.nextInt(5)) {
            case 0 -> {
                victim.kill();
                later(50, 3_000, victim::start);
            }
            case 1 -> { // longer than its session
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
            default -> {
                victim.stop();
                later(2_500, 8_000, victim::start);
            }
        }
    }

    private void later(long leastMillis, long mostMillis, Runnable action) {
        world.scheduler.after(world.between(Duration.ofMillis(leastMillis), Duration.ofMillis(mostMillis)), action);
    }

    /** From now on nothing is wrong with notifiers. */
    void end() {
        world.notifiers.forEach(NotifierProcess::resume);
        world.notifiers.forEach(NotifierProcess::start);
    }
}
