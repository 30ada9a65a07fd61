package millrace.simulation.world;

import java.util.EnumMap;
import java.util.Map;
import millrace.notifier.NotifierSettings;
import millrace.simulation.delivery.NotifierProcess;
import millrace.simulation.delivery.SimulatedReceivers;
import millrace.simulation.kafka.SimulatedKafka;
import millrace.simulation.kernel.Scheduler;
import millrace.simulation.kernel.Service;
import millrace.simulation.plan.ServiceName;

/** The services of a simulation: two processors and two notifiers. */
final class Services {
    static final NotifierSettings NOTIFIER = NotifierProcess.settings(
            Map.of("notifier.retries", "1s,2s,4s,8s,8s,8s,8s,8s,8s,8s", "notifier.probes", "1s,2s,4s"));

    private Services() {}

    static Map<ServiceName, Service> of(Scheduler scheduler, SimulatedKafka kafka, SimulatedReceivers receivers) {
        var services = new EnumMap<ServiceName, Service>(ServiceName.class);
        services.put(ServiceName.NOTIFIER_1, new NotifierProcess(scheduler, kafka, receivers, NOTIFIER, "notifier-1"));
        services.put(ServiceName.NOTIFIER_2, new NotifierProcess(scheduler, kafka, receivers, NOTIFIER, "notifier-2"));
        return services;
    }
}
