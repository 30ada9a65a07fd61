package millrace.simulation.processor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.reports.Status;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.simulation.rendering.RenderPlan;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Small reports that the ledger hands to workers of its own process. */
class HandedTasksScenarioTest {
    private static final int REPORTS = 10;
    private static final int KILLS = 40;
    /** When the processor is up, and knows how far the commands went when it came. */
    private static final Duration UP = Duration.ofSeconds(10);

    /** All that is decided of it is in one transaction, and no worker is asked or answers through Kafka. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2})
    void aQuickReportNeedsNoWorkersTopic(long seed) {
        try (var world = new ProcessorWorld(seed, random -> task -> quick(random.nextInt(1, 4)))) {
            world.processor("millrace-1");
            List<ProcessorWorld.Sent> commands = new ArrayList<>();
            commands.add(new ProcessorWorld.Sent(Duration.ZERO, "acme", SampleCommands.grant("opening", 1_000)));
            for (int i = 0; i < REPORTS; i++) {
                commands.add(request(i == 0 ? UP : Duration.ofMillis(70), "r" + i, world));
            }
            world.send(commands);
            world.runUntilEnded(REPORTS, Duration.ofMinutes(1));

            // A commit of another cause may come first.
            assertThat(committed(world, Topics.SMALL_REPORTS).size()).isLessThanOrEqualTo(1);
            assertThat(committed(world, Topics.REPORT_STATUS).size()).isLessThanOrEqualTo(REPORTS + 1);
            assertThat(committed(world, Topics.REPORT_EVENTS)).hasSize(2 * REPORTS);
        }
    }

    /** Where the workers are slow, tasks go through Kafka, and most are not tried in memory first. */
    @Test
    void aSlowReportGoesThroughKafka() {
        var runs = new AtomicInteger();
        try (var world = new ProcessorWorld(1, random -> task -> {
            runs.incrementAndGet();
            return quick(random.nextInt(40, 60));
        })) {
            world.processor("millrace-1");
            List<ProcessorWorld.Sent> commands = new ArrayList<>();
            commands.add(new ProcessorWorld.Sent(Duration.ZERO, "acme", SampleCommands.grant("opening", 1_000)));
            for (int i = 0; i < REPORTS; i++) {
                commands.add(request(i == 0 ? UP : Duration.ofMillis(200), "r" + i, world));
            }
            world.send(commands);
            world.runUntilEnded(REPORTS, Duration.ofMinutes(1));

            assertThat(committed(world, Topics.SMALL_REPORTS)).hasSize(REPORTS);
            assertThat(runs.get()).isBetween(REPORTS + 1, REPORTS + 4);
        }
    }

    /** It ends once, whether the process dies before, while or after its transaction is held open. */
    @Test
    void aKillAtAnyMomentLosesNothing() {
        int interrupted = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            var runs = new AtomicInteger();
            try (var world = new ProcessorWorld(kill, random -> task -> {
                runs.incrementAndGet();
                return quick(random.nextInt(1, 14));
            })) {
                world.processor("millrace-1");
                world.send(List.of(
                        new ProcessorWorld.Sent(Duration.ZERO, "acme", SampleCommands.grant("opening", 1_000)),
                        request(UP, "r", world)));
                Duration when = UP.plusNanos(Duration.ofMillis(30).toNanos() * kill / KILLS);
                world.scheduler.after(when, world.processors.getFirst()::kill);
                world.runUntilEnded(1, Duration.ofMinutes(5));
                assertThat(world.invariants.ended().values())
                        .as(() -> world.failureReport("killed after " + when))
                        .allSatisfy(status -> assertThat(status.status()).isEqualTo(Status.COMPLETE));
            }
            interrupted += runs.get() > 1 ? 1 : 0;
        }
        assertThat(interrupted).as("kills that came while the slice ran").isPositive();
    }

    private static RenderPlan quick(int millis) {
        return RenderPlan.done(Duration.ofMillis(millis));
    }

    private static ProcessorWorld.Sent request(Duration after, String report, ProcessorWorld world) {
        AccountCommand request = SampleCommands.request(ProcessorWorld.id(report), 1, world.now());
        return new ProcessorWorld.Sent(after, "acme", request);
    }

    private static <V> List<V> committed(ProcessorWorld world, Topic<V> topic) {
        List<V> records = new ArrayList<>();
        new CommittedRecords<>(world.kafka, topic, ProcessorWorld.PARTITIONS).read(records::add);
        return records;
    }
}
