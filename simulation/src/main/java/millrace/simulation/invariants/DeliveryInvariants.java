package millrace.simulation.invariants;

import static millrace.simulation.invariants.InvariantViolated.check;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import millrace.contracts.delivery.DeliveryCommand;
import millrace.contracts.delivery.WebhookDeadLetter;

/**
 * Checks that each event reaches its receiver or the dead letters, that the events of a report are attempted in order,
 * and that events to a healthy endpoint are attempted soon after their commit, whatever other endpoints do.
 */
public final class DeliveryInvariants {
    /** Time for a commit, a poll, and an attempt to a receiver that answers within milliseconds. */
    private static final Duration SOON = Duration.ofSeconds(2);

    private final DisturbanceTimes disturbance;
    private final Map<String, Event> events = new LinkedHashMap<>();
    private final Map<UUID, Integer> attempted = new HashMap<>();

    private static final class Event {
        final DeliveryCommand.Deliver delivery;
        final long committedAt;
        boolean attempted;
        boolean givenUp;

        Event(DeliveryCommand.Deliver delivery, long committedAt) {
            this.delivery = delivery;
            this.committedAt = committedAt;
        }
    }

    public DeliveryInvariants(DisturbanceTimes disturbance) {
        this.disturbance = disturbance;
    }

    public void committed(DeliveryCommand command, long nanos) {
        if (command instanceof DeliveryCommand.Deliver delivery) {
            Event before = events.put(delivery.eventId(), new Event(delivery, nanos));
            check(before == null, "event %s is committed twice", delivery.eventId());
        }
    }

    /**
     * To be called when an attempt begins.
     *
     * @param eventId the webhook-id
     * @param endpoint number of the receiver
     */
    public void attempted(String eventId, int endpoint, long nanos) {
        Event event = events.get(eventId);
        check(event != null, "event %s is sent and was never committed", eventId);
        if (event == null || event.attempted) {
            return;
        }
        event.attempted = true;
        UUID report = event.delivery.reportId();
        int sequence = event.delivery.sequence();
        int before = attempted.getOrDefault(report, 0);
        check(sequence > before, "event %d of %s is attempted first after event %d", sequence, report, before);
        attempted.put(report, sequence);
        for (int earlier = 1; earlier < sequence; earlier++) {
            Event predecessor = events.get(report + "." + earlier);
            check(
                    predecessor == null || predecessor.attempted || predecessor.givenUp,
                    "event %d of %s is attempted before event %d",
                    sequence,
                    report,
                    earlier);
        }
        long late = nanos - event.committedAt;
        check(
                late <= SOON.toNanos() || disturbance.touches(endpoint, event.committedAt, nanos),
                "healthy endpoint %d hears of %s only after %s",
                endpoint,
                eventId,
                Duration.ofNanos(late));
    }

    public void givenUp(WebhookDeadLetter letter) {
        Event event = events.get(letter.eventId());
        if (event != null) {
            event.givenUp = true;
        }
    }

    /**
     * Whether every event is delivered or dead-lettered.
     *
     * @param delivered whether a receiver has answered an event with 2xx
     */
    public boolean allEnded(Predicate<String> delivered) {
        return events.entrySet().stream().allMatch(event -> event.getValue().givenUp || delivered.test(event.getKey()));
    }

    /** Checks {@link #allEnded}; the failure names an event that has not ended. */
    public void end(Predicate<String> delivered) {
        events.forEach((id, event) ->
                check(event.givenUp || delivered.test(id), "event %s is neither delivered nor given up", id));
    }
}
