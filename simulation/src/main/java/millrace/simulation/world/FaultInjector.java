package millrace.simulation.world;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import millrace.simulation.delivery.ReceiverBehaviour;
import millrace.simulation.delivery.SimulatedReceivers;
import millrace.simulation.kafka.network.NetworkFaults;
import millrace.simulation.kernel.Scheduler;
import millrace.simulation.plan.PlannedAction;
import millrace.simulation.plan.ReceiverCondition;
import millrace.simulation.plan.ServiceName;
import millrace.simulation.plan.SimulationPlan;

/** Injects the faults of the plan. */
final class FaultInjector {
    private static final Duration LEAST_LATENCY = Duration.ofNanos(200_000);
    private static final Duration MOST_LATENCY = Duration.ofMillis(2);

    private final Scheduler scheduler;
    private final Map<ServiceName, SupervisedService> services;
    private final SimulatedReceivers receivers;
    private final NetworkFaults network;

    FaultInjector(
            Scheduler scheduler,
            Map<ServiceName, SupervisedService> services,
            SimulatedReceivers receivers,
            NetworkFaults network) {
        this.scheduler = scheduler;
        this.services = new EnumMap<>(services);
        this.receivers = receivers;
        this.network = network;
    }

    void inject(PlannedAction action) {
        switch (action) {
            case PlannedAction.Kill kill -> of(kill.service()).kill(kill.downFor());
            case PlannedAction.Restart restart -> of(restart.service()).stop(restart.downFor());
            case PlannedAction.Pause pause -> {
                SupervisedService paused = of(pause.service());
                paused.pause();
                scheduler.after(pause.time(), paused::resume);
            }
            case PlannedAction.SetClock clock ->
                scheduler.setClock(clock.service().instance(), clock.ahead());
            case PlannedAction.BrokerUnavailable unavailable ->
                network.unavailableUntil(scheduler.nanos() + unavailable.time().toNanos());
            case PlannedAction.LostAcknowledgements lost -> {
                network.lostAcknowledgements(lost.probability());
                scheduler.after(lost.time(), () -> network.lostAcknowledgements(0));
            }
            case PlannedAction.SlowNetwork slow -> {
                network.latency(LEAST_LATENCY, slow.latency());
                network.visibilityDelay(slow.latency());
                scheduler.after(slow.time(), this::fastNetwork);
            }
            case PlannedAction.Receiver receiver ->
                receivers.put("receiver-" + receiver.endpoint() + ".example", behaviour(receiver.condition()));
            case PlannedAction.Grant _,
                    PlannedAction.Request _,
                    PlannedAction.Retry _,
                    PlannedAction.Cancel _,
                    PlannedAction.Erase _ -> throw new IllegalArgumentException("no fault: " + action);
        }
    }

    /** Ends all faults, but leaves clocks as they were set. */
    void end() {
        fastNetwork();
        network.lostAcknowledgements(0);
        network.unavailableUntil(0);
        services.values().forEach(SupervisedService::resume);
        for (int endpoint = 0; endpoint < SimulationPlan.ENDPOINTS; endpoint++) {
            receivers.put("receiver-" + endpoint + ".example", ReceiverBehaviour.healthy());
        }
    }

    private void fastNetwork() {
        network.latency(LEAST_LATENCY, MOST_LATENCY);
        network.visibilityDelay(Duration.ZERO);
    }

    private SupervisedService of(ServiceName name) {
        SupervisedService service = services.get(name);
        if (service == null) {
            throw new IllegalArgumentException("no service " + name);
        }
        return service;
    }

    private static ReceiverBehaviour behaviour(ReceiverCondition condition) {
        return switch (condition) {
            case HEALTHY -> ReceiverBehaviour.healthy();
            case SLOW -> ReceiverBehaviour.slow();
            case UNRESPONSIVE -> new ReceiverBehaviour.Unresponsive();
            case REFUSING -> ReceiverBehaviour.refusing();
        };
    }
}
