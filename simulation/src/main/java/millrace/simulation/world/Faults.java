package millrace.simulation.world;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import millrace.simulation.delivery.Receiver;
import millrace.simulation.delivery.SimulatedReceivers;
import millrace.simulation.kafka.network.NetworkFaults;
import millrace.simulation.kernel.Scheduler;
import millrace.simulation.plan.Action;
import millrace.simulation.plan.Plan;
import millrace.simulation.plan.ReceiverMood;
import millrace.simulation.plan.ServiceName;

/** Lets happen what the plan says goes wrong. */
final class Faults {
    private static final Duration LEAST_LATENCY = Duration.ofNanos(200_000);
    private static final Duration MOST_LATENCY = Duration.ofMillis(2);

    private final Scheduler scheduler;
    private final Map<ServiceName, Service> services;
    private final SimulatedReceivers receivers;
    private final NetworkFaults network;

    Faults(
            Scheduler scheduler,
            Map<ServiceName, Service> services,
            SimulatedReceivers receivers,
            NetworkFaults network) {
        this.scheduler = scheduler;
        this.services = new EnumMap<>(services);
        this.receivers = receivers;
        this.network = network;
    }

    void happens(Action action) {
        switch (action) {
            case Action.Kill kill -> of(kill.service()).kill(kill.downFor());
            case Action.Restart restart -> of(restart.service()).stop(restart.downFor());
            case Action.Pause pause -> {
                Service paused = of(pause.service());
                paused.pause();
                scheduler.after(pause.time(), paused::resume);
            }
            case Action.BrokerUnavailable unavailable ->
                network.unavailableUntil(scheduler.nanos() + unavailable.time().toNanos());
            case Action.LostAcknowledgements lost -> {
                network.lostAcknowledgements(lost.probability());
                scheduler.after(lost.time(), () -> network.lostAcknowledgements(0));
            }
            case Action.SlowNetwork slow -> {
                network.latency(LEAST_LATENCY, slow.latency());
                network.visibilityDelay(slow.latency());
                scheduler.after(slow.time(), this::fastNetwork);
            }
            case Action.Receiver receiver ->
                receivers.put("receiver-" + receiver.endpoint() + ".example", mood(receiver.mood()));
            case Action.Grant _, Action.Request _, Action.Retry _, Action.Cancel _ ->
                throw new IllegalArgumentException("no fault: " + action);
        }
    }

    /** Nothing goes wrong any more. */
    void end() {
        fastNetwork();
        network.lostAcknowledgements(0);
        network.unavailableUntil(0);
        services.values().forEach(Service::resume);
        for (int endpoint = 0; endpoint < Plan.ENDPOINTS; endpoint++) {
            receivers.put("receiver-" + endpoint + ".example", Receiver.healthy());
        }
    }

    private void fastNetwork() {
        network.latency(LEAST_LATENCY, MOST_LATENCY);
        network.visibilityDelay(Duration.ZERO);
    }

    private Service of(ServiceName name) {
        Service service = services.get(name);
        if (service == null) {
            throw new IllegalArgumentException("no service " + name);
        }
        return service;
    }

    private static Receiver mood(ReceiverMood mood) {
        return switch (mood) {
            case HEALTHY -> Receiver.healthy();
            case SLOW -> Receiver.slow();
            case DEAD -> new Receiver.Dead();
            case REFUSING -> Receiver.refusing();
        };
    }
}
