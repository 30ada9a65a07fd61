package millrace.simulation.world;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;
import millrace.notifier.NotifierSettings;
import millrace.processor.ledger.decide.LedgerRules;
import millrace.processor.rendering.tasks.RenderSettings;
import millrace.processor.warehouse.DataVersions;
import millrace.simulation.delivery.NotifierProcess;
import millrace.simulation.delivery.SimulatedReceivers;
import millrace.simulation.kafka.SimulatedKafka;
import millrace.simulation.kernel.Scheduler;
import millrace.simulation.plan.ServiceName;
import millrace.simulation.processor.ProcessorPlan;
import millrace.simulation.processor.ProcessorProcess;
import millrace.simulation.rendering.SimulatedFiles;

/** The services of a simulation: two processors and two notifiers. */
final class SimulatedServices {
    /**
     * One attempt at a time to each endpoint at first, so that events wait for their turns, and at most three of an
     * endpoint in memory, so that the others wait in Kafka.
     */
    static final NotifierSettings NOTIFIER = NotifierProcess.settings(Map.of(
            "notifier.retries", "1s,2s,4s,8s,8s,8s,8s,8s,8s,8s",
            "notifier.probes", "1s,2s,4s",
            "notifier.in-flight-per-endpoint", "1",
            "notifier.most-in-flight-per-endpoint", "2",
            "notifier.window", "3"));
    /** Slices of 2 entities, so that a large report has several. */
    private static final LedgerRules RULES = new LedgerRules(
            new LedgerRules.Slicing(1_000, 2, 8),
            new LedgerRules.Turns(2, 3, 4),
            new LedgerRules.Times(
                    Duration.ofSeconds(30),
                    Duration.ofMinutes(2),
                    Duration.ofDays(30),
                    Duration.ofDays(365),
                    Duration.ofDays(400),
                    Duration.ofDays(29)));

    private static final RenderSettings RENDERING =
            new RenderSettings(2, 2, Duration.ofMinutes(1), Duration.ofSeconds(5), Duration.ofSeconds(30));

    private final Scheduler scheduler;
    private final SimulatedKafka kafka;
    private final SimulatedReceivers receivers;
    private final RandomRenderPlans rendering;
    private final Consumer<UUID> interruptedAlone;
    private final SimulatedFiles files = new SimulatedFiles();

    private SimulatedServices(
            Scheduler scheduler, SimulatedKafka kafka, SimulatedReceivers receivers, Consumer<UUID> interruptedAlone) {
        this.scheduler = scheduler;
        this.kafka = kafka;
        this.receivers = receivers;
        this.rendering = new RandomRenderPlans(scheduler.random());
        this.interruptedAlone = interruptedAlone;
    }

    /** @param interruptedAlone as in {@link ProcessorPlan} */
    static Map<ServiceName, SupervisedService> of(
            Scheduler scheduler,
            SimulatedKafka kafka,
            SimulatedReceivers receivers,
            int partitions,
            Consumer<UUID> interruptedAlone) {
        var services = new SimulatedServices(scheduler, kafka, receivers, interruptedAlone);
        ProcessorProcess.createTopics(kafka, services.plan(() -> Duration.ZERO), partitions);
        var all = new EnumMap<ServiceName, SupervisedService>(ServiceName.class);
        all.put(ServiceName.PROCESSOR_1, services.processor(ServiceName.PROCESSOR_1.instance()));
        all.put(ServiceName.PROCESSOR_2, services.processor(ServiceName.PROCESSOR_2.instance()));
        all.put(ServiceName.NOTIFIER_1, services.notifier(ServiceName.NOTIFIER_1.instance()));
        all.put(ServiceName.NOTIFIER_2, services.notifier(ServiceName.NOTIFIER_2.instance()));
        return all;
    }

    private SupervisedService processor(String instance) {
        return new ProcessorService(restart -> new ProcessorProcess(scheduler, kafka, instance, plan(restart)));
    }

    private SupervisedService notifier(String instance) {
        return new NotifierService(scheduler, new NotifierProcess(scheduler, kafka, receivers, NOTIFIER, instance));
    }

    private ProcessorPlan plan(Supplier<Duration> restart) {
        return new ProcessorPlan(RULES, new OneVersion(), RENDERING, files, rendering, interruptedAlone, restart);
    }

    /** Each dataset has one version of its data. */
    private static final class OneVersion implements DataVersions {
        @Override
        public Optional<String> current(String dataset) {
            return Optional.of("v1");
        }
    }
}
