package millrace.simulation.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import millrace.contracts.commands.RenderTask;
import millrace.contracts.reports.Status;
import millrace.simulation.rendering.RenderPlan;
import millrace.simulation.rendering.RenderPlan.Ending;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Two processors are killed, paused and restarted while they work on reports. */
class ProcessorScenarioTest {
    private static final int SEEDS = 50;
    private static final int REPORTS = 16;
    private static final Duration FAULTS = Duration.ofSeconds(15);

    static LongStream seeds() {
        return LongStream.range(0, SEEDS);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyReportEndsOnceAndNoCreditIsLost(long seed) {
        try (var world = new ProcessorWorld(seed, ProcessorScenarioTest::runs)) {
            RandomGenerator random = world.scheduler.random();
            world.kafka.network().lostAcknowledgements(random.nextDouble() * 0.05);
            world.kafka.network().visibilityDelay(Duration.ofMillis(random.nextInt(1, 50)));
            world.processor("millrace-1");
            world.processor("millrace-2");
            world.send(commands(random, world));
            faults(world);
            world.runUntilEnded(REPORTS, Duration.ofMinutes(20));

            System.out.println("seed " + seed + " ended after " + world.scheduler.nanos() / 1_000_000 + " ms");
            assertThat(world.invariants.ended().values())
                    .anySatisfy(status -> assertThat(status.status()).isEqualTo(Status.COMPLETE));
            // The partitions of a killed deleter are assigned to others after 45 s.
            world.run(() -> world.unneededFiles().isEmpty(), Duration.ofMinutes(5));
            assertThat(world.lostResults()).isEmpty();
        }
    }

    private static Function<RenderTask, RenderPlan> runs(RandomGenerator random) {
        return task -> {
            Ending ending =
                    switch (random.nextInt(40)) {
                        case 0 -> Ending.NO_DATA;
                        case 1 -> Ending.ENGINE_UNAVAILABLE;
                        case 2 -> Ending.STORE_FAILED;
                        default -> Ending.DONE;
                    };
            int millis = random.nextInt(20) == 0 ? random.nextInt(500, 5_000) : random.nextInt(2, 250);
            return new RenderPlan(Duration.ofMillis(millis), ending);
        };
    }

    private static List<ProcessorWorld.Sent> commands(RandomGenerator random, ProcessorWorld world) {
        List<ProcessorWorld.Sent> commands = new ArrayList<>();
        for (String account : List.of("acme", "zenith")) {
            var grant = SampleCommands.grant("opening-" + account, 1_000);
            commands.add(new ProcessorWorld.Sent(Duration.ofMillis(5), account, grant));
        }
        for (int i = 0; i < REPORTS; i++) {
            var request = SampleCommands.request(ProcessorWorld.id("r" + i), random.nextInt(1, 8), world.now());
            if (i % 4 == 0) {
                request = SampleCommands.inParts(request, random.nextInt(1, 4));
            }
            Duration after = Duration.ofMillis(random.nextInt(1_000));
            commands.add(new ProcessorWorld.Sent(after, i % 3 == 0 ? "zenith" : "acme", request));
        }
        return commands;
    }

    /** Plans a fault of one of the processors every few seconds. */
    private static void faults(ProcessorWorld world) {
        RandomGenerator random = world.scheduler.random();
        world.scheduler.after(Duration.ofMillis(random.nextInt(500, 5_000)), () -> {
            if (world.scheduler.nanos() > FAULTS.toNanos()) {
                return;
            }
            ProcessorProcess victim = world.processors.get(random.nextInt(world.processors.size()));
            switch (random.nextInt(3)) {
                case 0 -> victim.kill();
                case 1 -> victim.stop();
                default -> {
                    victim.pause();
                    world.scheduler.after(Duration.ofMillis(random.nextInt(100, 9_000)), victim::resume);
                }
            }
            faults(world);
        });
    }
}
