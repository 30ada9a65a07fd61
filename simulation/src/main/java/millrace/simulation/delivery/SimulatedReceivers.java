package millrace.simulation.delivery;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import millrace.simulation.kernel.Scheduler;
import millrace.simulation.kernel.SimulatedProcess;
import millrace.webhook.Exchange;
import millrace.webhook.Exchange.ExchangeTimings;
import millrace.webhook.ExchangePhase;
import millrace.webhook.Webhook;
import millrace.webhook.WebhookTransport;

/**
 * The receivers of webhooks, one for each host. They record every request, and the events that they answered with
 * success.
 */
public final class SimulatedReceivers {
    private final Scheduler scheduler;
    private final Duration deadline;
    private final Map<String, ReceiverBehaviour> receivers = new HashMap<>();
    private final List<ObservedAttempt> requests = new ArrayList<>();
    private final Set<String> delivered = new HashSet<>();
    private final List<Consumer<ObservedAttempt>> observers = new ArrayList<>();

    /** @param deadline time after which an attempt without an answer ends */
    public SimulatedReceivers(Scheduler scheduler, Duration deadline) {
        this.scheduler = scheduler;
        this.deadline = deadline;
    }

    /** Sets the behaviour of a host from now on. */
    public void put(String host, ReceiverBehaviour receiver) {
        receivers.put(host, receiver);
    }

    /** Adds an observer of each request, in the order in which requests begin. Its exceptions end the simulation. */
    public void onRequest(Consumer<ObservedAttempt> observer) {
        observers.add(observer);
    }

    /** All requests so far, in the order in which they began. */
    public List<ObservedAttempt> requests() {
        return requests;
    }

    /** Whether an event was answered with 2xx. */
    public boolean delivered(String webhookId) {
        return delivered.contains(webhookId);
    }

    /** The transport of a process. Its webhook ids must be {@code {report}.{sequence}}. */
    WebhookTransport senderOf(SimulatedProcess process) {
        return webhook -> {
            ObservedAttempt request = request(process, webhook);
            requests.add(request);
            scheduler.trace().add(process.name() + " sends " + webhook.id() + " to " + request.host());
            // As an event of its own, since the sending process would handle the observers' exceptions.
            scheduler.after(Duration.ZERO, () -> observers.forEach(observer -> observer.accept(request)));
            var result = new CompletableFuture<Exchange>();
            process.threads().virtual().name("exchange").start(() -> answer(process, request, result));
            return result;
        };
    }

    private void answer(SimulatedProcess process, ObservedAttempt request, CompletableFuture<Exchange> result) {
        switch (receiver(request.host())) {
            case ReceiverBehaviour.Answering answering -> {
                Duration time = time(answering);
                process.threads().parkNanos(time.toNanos());
                if (answering.status() < 300) {
                    delivered.add(request.webhookId());
                }
                result.complete(new Exchange.Answered(answering.status(), null, null, timings(time)));
            }
            case ReceiverBehaviour.Unresponsive _ -> {
                process.threads().parkNanos(deadline.toNanos());
                result.complete(new Exchange.TimedOut(ExchangePhase.HEADERS, deadline, timings(deadline)));
            }
        }
    }

    private ReceiverBehaviour.Steady receiver(String host) {
        return switch (receivers.getOrDefault(host, ReceiverBehaviour.healthy())) {
            case ReceiverBehaviour.Flapping flapping -> flapping.at(scheduler.nanos());
            case ReceiverBehaviour.Steady steady -> steady;
        };
    }

    private Duration time(ReceiverBehaviour.Answering answering) {
        return Duration.ofNanos(scheduler
                .random()
                .nextLong(answering.least().toNanos(), answering.most().toNanos() + 1));
    }

    private static ExchangeTimings timings(Duration total) {
        return new ExchangeTimings(total, Map.of());
    }

    private ObservedAttempt request(SimulatedProcess process, Webhook webhook) {
        int dot = webhook.id().lastIndexOf('.');
        return new ObservedAttempt(
                scheduler.nanos(),
                process.name(),
                URI.create(webhook.url()).getHost(),
                webhook.id(),
                UUID.fromString(webhook.id().substring(0, dot)),
                Integer.parseInt(webhook.id().substring(dot + 1)));
    }
}
