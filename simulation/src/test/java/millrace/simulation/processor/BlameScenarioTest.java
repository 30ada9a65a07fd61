package millrace.simulation.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import millrace.contracts.commands.RenderTask;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.Status;
import millrace.simulation.rendering.RenderPlan;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Slices that kill their process, or hang, run beside innocent ones. Faults kill processes too. */
class BlameScenarioTest {
    private static final int SEEDS = 50;
    private static final int INNOCENT = 14;
    private static final UUID DEADLY = ProcessorWorld.id("deadly");
    private static final UUID HANGING = DEADLY;
    private static final UUID LONG = ProcessorWorld.id("long");

    static LongStream seeds() {
        return LongStream.range(0, SEEDS);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aDeadlySliceEndsItsReportAndNoOther(long seed) {
        try (var world = new ProcessorWorld(seed, BlameScenarioTest::oneDeadly)) {
            RandomGenerator random = world.scheduler.random();
            // On a busy machine an acknowledgement may arrive after the next slice has begun.
            world.kafka.network().latency(Duration.ofNanos(200_000), Duration.ofMillis(random.nextInt(1, 100)));
            world.kafka.network().lostAcknowledgements(random.nextDouble() * 0.5);
            world.processor("millrace-1");
            world.send(reports(random, world));
            // A single kill by a fault. With a second one an innocent slice could have died alone twice.
            world.scheduler.after(Duration.ofMillis(random.nextInt(20_000)), world.processors.getFirst()::kill);
            world.runUntilEnded(INNOCENT + 1, Duration.ofMinutes(20));

            ReportStatus deadly =
                    Objects.requireNonNull(world.invariants.ended().remove(DEADLY));
            assertThat(Objects.requireNonNull(deadly.error()).message()).startsWith("Rendering ended its worker");
            assertThat(world.invariants.ended().values())
                    .as(() -> world.failureReport("seed " + seed))
                    .filteredOn(status -> status.status() != Status.COMPLETE)
                    .extracting(ReportStatus::error)
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void threeUnrelatedKillsNeverBlameALongSlice(long seed) {
        try (var world = new ProcessorWorld(seed, BlameScenarioTest::oneLong)) {
            RandomGenerator random = world.scheduler.random();
            world.processor("millrace-1");
            List<ProcessorWorld.Sent> commands = reports(random, world);
            var request = SampleCommands.request(LONG, 1, world.now());
            commands.add(1, new ProcessorWorld.Sent(Duration.ZERO, "acme", request));
            world.send(commands);
            for (int i = 1; i <= 3; i++) {
                world.scheduler.after(
                        Duration.ofMillis(i * 6_000L - random.nextInt(2_000)), world.processors.getFirst()::kill);
            }
            world.runUntilEnded(INNOCENT + 2, Duration.ofMinutes(20));
            assertThat(world.processors.getFirst().ends()).isEqualTo(3);
            assertThat(world.invariants.ended().values())
                    .as(() -> world.failureReport("seed " + seed))
                    .filteredOn(status -> status.status() != Status.COMPLETE)
                    .extracting(ReportStatus::error)
                    .isEmpty();
        }
    }

    /** Each time its process ends itself, together with the slices beside it. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3, 4})
    void aSliceThatHangsEndsItsReportAndNoOther(long seed) {
        try (var world = new ProcessorWorld(seed, BlameScenarioTest::oneHanging)) {
            world.processor("millrace-1");
            world.send(reports(world.scheduler.random(), world));
            world.runUntilEnded(INNOCENT + 1, Duration.ofMinutes(20));

            ReportStatus hanging =
                    Objects.requireNonNull(world.invariants.ended().remove(HANGING));
            assertThat(Objects.requireNonNull(hanging.error()).message()).startsWith("Rendering took longer than 60 s");
            assertThat(world.processors.getFirst().ends()).isBetween(2, 3);
            assertThat(world.invariants.ended().values())
                    .as(() -> world.failureReport("seed " + seed))
                    .filteredOn(status -> status.status() != Status.COMPLETE)
                    .extracting(ReportStatus::error)
                    .isEmpty();
        }
    }

    /** Other slices take so long that some of them end with the process. */
    private static Function<RenderTask, RenderPlan> oneHanging(RandomGenerator random) {
        int slice = random.nextInt(3);
        return task -> {
            boolean hangs =
                    task.slice().reportId().equals(HANGING) && task.slice().slice() == slice;
            return hangs ? RenderPlan.hangs() : RenderPlan.done(Duration.ofMillis(random.nextInt(30_000)));
        };
    }

    private static Function<RenderTask, RenderPlan> oneDeadly(RandomGenerator random) {
        int slice = random.nextInt(3);
        return task -> {
            Duration time = Duration.ofMillis(random.nextInt(30));
            boolean kills =
                    task.slice().reportId().equals(DEADLY) && task.slice().slice() == slice;
            return kills ? RenderPlan.kills(time) : RenderPlan.done(time);
        };
    }

    /** One slice takes longer than the time between two kills. */
    private static Function<RenderTask, RenderPlan> oneLong(RandomGenerator random) {
        return task -> RenderPlan.done(
                task.slice().reportId().equals(LONG)
                        ? Duration.ofSeconds(10)
                        : Duration.ofMillis(random.nextInt(2, 100)));
    }

    private static List<ProcessorWorld.Sent> reports(RandomGenerator random, ProcessorWorld world) {
        List<ProcessorWorld.Sent> commands = new ArrayList<>();
        commands.add(new ProcessorWorld.Sent(Duration.ZERO, "acme", SampleCommands.grant("opening", 1_000)));
        int place = random.nextInt(INNOCENT);
        for (int i = 0; i < INNOCENT; i++) {
            if (i == place) {
                var deadly = SampleCommands.request(DEADLY, 6, world.now());
                commands.add(new ProcessorWorld.Sent(Duration.ZERO, "acme", deadly));
            }
            var request = SampleCommands.request(ProcessorWorld.id("r" + i), random.nextBoolean() ? 1 : 5, world.now());
            commands.add(new ProcessorWorld.Sent(Duration.ofMillis(random.nextInt(200)), "acme", request));
        }
        return commands;
    }
}
