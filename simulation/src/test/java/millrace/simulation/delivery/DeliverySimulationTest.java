package millrace.simulation.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.LongStream;
import millrace.contracts.topics.Topics;
import millrace.simulation.delivery.EventSource.Host;
import millrace.simulation.kafka.SimulatedKafka;
import millrace.simulation.kernel.ForkedJvm;
import millrace.simulation.kernel.Scheduler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The real notifier with simulated Kafka and receivers. A failing seed fails each time. */
class DeliverySimulationTest {
    private static final long SECOND_NANOS = 1_000_000_000;

    static LongStream seeds() {
        return LongStream.range(0, 50);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void nothingIsLostOrOutOfOrder(long seed) {
        assertThat(DeliveryScenario.run(seed)).isNotZero();
    }

    @Test
    void aSeedHasOneTraceInTwoJvms() throws Exception {
        assertThat(ForkedJvm.output(DeliveryScenario.class, "7")).endsWith(Long.toString(DeliveryScenario.run(7)));
    }

    /** The seeds above would say nothing of windows if no endpoint needed one. */
    @Test
    void endpointsFallBehindAndCatchUp() {
        try (var world = new DeliveryWorld(1)) {
            DeliveryScenario.run(world);
            assertThat(world.backlogRecords())
                    .as("of failing, slow and flapping receivers, some more than once")
                    .hasSizeGreaterThan(20)
                    .anyMatch(record -> record.value() == null);
        }
    }

    static LongStream fewSeeds() {
        return LongStream.range(0, 5);
    }

    /**
     * Without faults of notifiers a healthy receiver gets each event once, within a second, whatever other receivers
     * do.
     */
    @ParameterizedTest
    @MethodSource("fewSeeds")
    void aHealthyEndpointIsNotDelayedByOthers(long seed) {
        try (var world = new DeliveryWorld(seed)) {
            Set<Host> healthy = DeliveryScenario.healthy(world);
            DeliveryScenario.failing(world);
            world.start();
            world.await(world.source::finished, DeliveryScenario.TRAFFIC.multipliedBy(2), "all events produced");
            world.runFor(Duration.ofSeconds(2));
            assertThat(late(world, healthy)).isEmpty();
            assertThat(world.undelivered(healthy)).isEmpty();
            assertThat(world.receivers.requests().stream()
                            .filter(request -> request.host().startsWith("healthy"))
                            .map(ObservedAttempt::webhookId))
                    .doesNotHaveDuplicates();
        }
    }

    /** Most events of a dead receiver wait in Kafka only, and become too old there. */
    @ParameterizedTest
    @MethodSource("fewSeeds")
    void whatBecomesTooOldInABacklogIsGivenUp(long seed) {
        try (var world = new DeliveryWorld(seed, DeliveryWorld.settings("3", "64", "15s"))) {
            world.receivers.put("dead", new ReceiverBehaviour.Unresponsive());
            for (int report = 0; report < 20; report++) {
                Duration at = world.between(Duration.ZERO, DeliveryScenario.TRAFFIC);
                world.source.report(new Host("dead", 1), at, Duration.ofSeconds(1));
            }
            world.start();
            var faults = new SeededFaults(world);
            faults.plan(3, DeliveryScenario.TRAFFIC);
            world.runFor(DeliveryScenario.TRAFFIC.plus(SeededFaults.LONGEST));
            faults.end();
            world.await(world.source::finished, Duration.ofSeconds(10), "all events produced");
            world.await(
                    () -> world.deadLetters()
                                    .containsAll(world.source.produced().keySet())
                            && world.waiting().isEmpty(),
                    Duration.ofSeconds(40),
                    "all events given up");
            assertThat(world.backlogRecords()).isNotEmpty();
        }
    }

    /**
     * 10,000 events of reports that cost nothing, each report with a URL of its own that answers 410: of one host, and of
     * a host for each.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anAccountWhoseUrlsAreGoneIsRememberedWithinBoundsAndOthersAreAsQuick(boolean oneHost) {
        try (var world = new DeliveryWorld(1, DeliveryWorld.settings("1000", "1000000", "72h"))) {
            int reports = 10_000 / 3 + 1;
            for (int report = 0; report < reports; report++) {
                String name = oneHost ? "gone" : "gone-" + report;
                world.receivers.put(name, ReceiverBehaviour.gone());
                var host = new Host(name, 0, "loud", true);
                world.source.report(
                        host, world.between(Duration.ZERO, DeliveryScenario.TRAFFIC), Duration.ofSeconds(1));
            }
            Set<Host> healthy = DeliveryScenario.healthy(world);
            world.start();
            world.await(world.source::finished, DeliveryScenario.TRAFFIC.multipliedBy(2), "all events produced");
            world.runFor(Duration.ofSeconds(20));
            assertThat(late(world, healthy)).isEmpty();
            assertThat(world.undelivered(healthy)).isEmpty();
            assertThat(world.lost()).isEmpty();
            assertThat(world.states(Topics.DELIVERY_STATE))
                    .as("1,000 of an account in a partition, 100 of a host")
                    .hasSizeLessThanOrEqualTo(oneHost ? 100 : 1000);
            assertThat(world.states(Topics.ENDPOINT_STATE)).hasSizeLessThanOrEqualTo(oneHost ? 20 : 1020);
        }
    }

    /** Else webhooks would stop for as long as the clock is set back, and come all at once where it is set forward. */
    @ParameterizedTest
    @MethodSource("fewSeeds")
    void wallClocksThatAreSetDelayNothing(long seed) {
        try (var world = new DeliveryWorld(seed)) {
            Set<Host> healthy = DeliveryScenario.healthy(world);
            DeliveryScenario.failing(world);
            world.start();
            for (int times = 0; times < 8; times++) {
                NotifierProcess notifier = world.notifiers.get(times % 2);
                world.scheduler.setClock(notifier.instance(), Duration.ofHours(times % 4 < 2 ? 1 : -1));
                world.runFor(DeliveryScenario.TRAFFIC.dividedBy(8));
            }
            world.await(world.source::finished, DeliveryScenario.TRAFFIC.multipliedBy(2), "all events produced");
            world.runFor(Duration.ofSeconds(2));
            assertThat(late(world, healthy)).isEmpty();
            assertThat(world.undelivered(healthy)).isEmpty();
        }
    }

    private static List<ObservedAttempt> late(DeliveryWorld world, Set<Host> hosts) {
        return world.receivers.requests().stream()
                .filter(request -> {
                    var event = Objects.requireNonNull(world.source.produced().get(request.webhookId()));
                    return hosts.contains(event.host()) && request.nanos() - event.nanos() > SECOND_NANOS;
                })
                .toList();
    }

    /** The thread of the take-over ends with an error that is not a KafkaException. */
    @Test
    void aTakeOverThatFailsEndsTheNotifier() {
        try (var scheduler = new Scheduler(1)) {
            var kafka = new SimulatedKafka(scheduler);
            Topics.ALL.forEach(topic -> kafka.createTopic(topic.name(), topic.equals(Topics.ENDPOINT_STATE) ? 2 : 3));
            var settings = NotifierProcess.settings(Map.of());
            var receivers = new SimulatedReceivers(scheduler, settings.deadline());
            var notifier = new NotifierProcess(scheduler, kafka, receivers, settings, "a");
            notifier.start();
            assertThat(scheduler.run(() -> !notifier.alive(), Duration.ofSeconds(10)))
                    .isTrue();
            assertThat(notifier.fatal()).rootCause().hasMessageContaining("they must be equal");
        }
    }
}
