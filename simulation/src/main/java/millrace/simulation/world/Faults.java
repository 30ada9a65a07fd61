package millrace.simulation.world;

import java.time.Duration;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import millrace.simulation.delivery.Receiver;
import millrace.simulation.delivery.SimulatedReceivers;
import millrace.simulation.kafka.NetworkFaults;
import millrace.simulation.kernel.Scheduler;
import millrace.simulation.kernel.Service;
import millrace.simulation.plan.Action;
import millrace.simulation.plan.Plan;
import millrace.simulation.plan.ReceiverMood;
import millrace.simulation.plan.ServiceName;

/** Lets happen what the plan says goes wrong, and starts again what ended. */
final class Faults {
    private static final Duration WATCH = Duration.ofSeconds(1);
    private static final Duration LEAST_LATENCY = Duration.ofNanos(200_000);
    private static final Duration MOST_LATENCY = Duration.ofMillis(2);

    private final Scheduler scheduler;
    private final Map<ServiceName, Service> services;
    private final SimulatedReceivers receivers;
    private final NetworkFaults network;
    /** Services that are down on purpose. */
    private final Set<ServiceName> down = EnumSet.noneOf(ServiceName.class);

    Faults(
            Scheduler scheduler,
            Map<ServiceName, Service> services,
            SimulatedReceivers receivers,
            NetworkFaults network) {
        this.scheduler = scheduler;
        this.services = new EnumMap<>(services);
        this.receivers = receivers;
        this.network = network;
        scheduler.after(WATCH, this::startWhatEndedByItself);
    }

    void happens(Action action) {
        switch (action) {
            case Action.Kill kill -> {
                of(kill.service()).kill();
                startAfter(kill.service(), kill.downFor());
            }
            case Action.Restart restart -> {
                of(restart.service()).stop();
                startAfter(restart.service(), restart.downFor().plusSeconds(3));
            }
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
        down.clear();
        for (int endpoint = 0; endpoint < Plan.ENDPOINTS; endpoint++) {
            receivers.put("receiver-" + endpoint + ".example", Receiver.healthy());
        }
    }

    private void fastNetwork() {
        network.latency(LEAST_LATENCY, MOST_LATENCY);
        network.visibilityDelay(Duration.ZERO);
    }

    private void startAfter(ServiceName name, Duration time) {
        down.add(name);
        scheduler.after(time, () -> {
            down.remove(name);
            of(name).start();
        });
    }

    /** As what operators run services with does. */
    private void startWhatEndedByItself() {
        services.forEach((name, service) -> {
            if (!service.alive() && !down.contains(name)) {
                service.start();
            }
        });
        scheduler.after(WATCH, this::startWhatEndedByItself);
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
