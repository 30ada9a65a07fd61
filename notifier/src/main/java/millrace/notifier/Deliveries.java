package millrace.notifier;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import millrace.contracts.DeliveryCommand.Deliver;
import millrace.contracts.DeliveryCommand.EnableEndpoint;
import millrace.contracts.DeliveryCommand.Reinstate;
import millrace.contracts.DeliveryCommand.Resend;
import millrace.contracts.DeliveryState;
import millrace.contracts.Topics;
import millrace.contracts.WebhookAttempt;
import millrace.notifier.delivery.EndpointQueue;
import millrace.notifier.delivery.HeldEvent;
import millrace.notifier.delivery.Next;
import millrace.notifier.delivery.RetrySchedule;
import millrace.notifier.delivery.Turns;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Applies what is decided about events: starts attempts, and puts what follows from their ends into the outbox. */
final class Deliveries {
    private static final Logger LOG = LoggerFactory.getLogger(Deliveries.class);

    private final RetrySchedule schedule;
    private final int maxInFlight;
    private final Attempts attempts;
    private final InstantSource clock;
    private final RandomGenerator random;
    private final Outbox outbox;
    private final Turns turns = new Turns();
    private final Map<Integer, OwnedPartition> owned = new HashMap<>();
    private int inFlight;
    private int held;

    Deliveries(
            NotifierSettings settings, Attempts attempts, InstantSource clock, RandomGenerator random, Outbox outbox) {
        this.schedule = settings.schedule();
        this.maxInFlight = settings.inFlight();
        this.attempts = attempts;
        this.clock = clock;
        this.random = random;
        this.outbox = outbox;
    }

    /** A partition with what was left in its state. */
    void own(OwnedPartition partition, Iterable<DeliveryState> states) {
        owned.put(partition.number(), partition);
        partition.restore(states);
        held += partition.held();
        partition.queues().forEach(queue -> turns.schedule(queue, clock.millis()));
    }

    /** Somebody else owns it now, or nobody. */
    void drop(OwnedPartition partition) {
        owned.remove(partition.number());
        held -= partition.held();
        partition.drop();
    }

    Map<Integer, OwnedPartition> owned() {
        return owned;
    }

    /** Milliseconds since the epoch. */
    long now() {
        return clock.millis();
    }

    int inFlight() {
        return inFlight;
    }

    /** Events that are not delivered yet. */
    int held() {
        return held;
    }

    /** When an attempt may start; {@link Long#MAX_VALUE}: not before one has ended or an event arrives. */
    long nextDue() {
        return inFlight < maxInFlight ? turns.nextDue() : Long.MAX_VALUE;
    }

    void take(ConsumerRecord<String, byte[]> record) {
        OwnedPartition partition = owned.get(record.partition());
        if (partition == null || !partition.offsets().take(record.offset())) {
            return;
        }
        try {
            switch (Topics.DELIVERIES.decode(record.value())) {
                case Deliver delivery ->
                    arrived(partition, record, HeldEvent.arrived(delivery, record.offset(), clock.millis()));
                case Resend(Deliver delivery, int made, Instant _) ->
                    arrived(partition, record, HeldEvent.resent(delivery, record.offset(), made, clock.millis()));
                case Reinstate reinstate -> {
                    reinstate(partition, record.key(), List.of(reinstate.url()));
                    release(partition, record.offset());
                }
                case EnableEndpoint _ -> {
                    reinstate(
                            partition,
                            record.key(),
                            partition.endpoint(record.key()).gone());
                    release(partition, record.offset());
                }
            }
        } catch (SerializationException e) {
            LOG.error(
                    "dead letter for {}-{} offset {}: it cannot be read",
                    record.topic(),
                    record.partition(),
                    record.offset());
            outbox.publish(Unreadable.deadLetter(record, e, clock.instant()));
            release(partition, record.offset());
        }
    }

    private void arrived(OwnedPartition partition, ConsumerRecord<String, byte[]> record, HeldEvent event) {
        long now = clock.millis();
        EndpointQueue queue = partition.endpoint(record.key());
        if (!queue.add(event)) {
            if (event.isResent()) {
                queue.hurry(event.id(), now);
                turns.schedule(queue, now);
            }
            release(partition, record.offset());
            return;
        }
        held++;
        partition.arrived(queue, event, now);
        turns.schedule(queue, now);
    }

    private void reinstate(OwnedPartition partition, String endpoint, Collection<String> urls) {
        EndpointQueue queue = partition.endpoint(endpoint);
        for (String url : urls) {
            if (queue.reinstate(url)) {
                LOG.info("deliveries to {} go on", Announcements.withoutQuery(url));
                outbox.remove(partition.number(), DeliveryState.Gone.key(endpoint, url));
            }
        }
        partition.forgetIfIdle(queue);
    }

    /** Starts what is due, an event of each endpoint in turn, as far as the cap allows. */
    void startDue() {
        long now = clock.millis();
        while (inFlight < maxInFlight) {
            EndpointQueue queue = turns.next(now);
            if (queue == null) {
                return;
            }
            HeldEvent event = queue.next(now);
            if (event != null) {
                start(queue, event);
            }
            turns.schedule(queue, now);
        }
    }

    private void start(EndpointQueue queue, HeldEvent event) {
        if (queue.isGone(event.delivery().url())) {
            giveUp(queue, event, event.attempts(), "The URL answered 410 before; a webhook test to it lifts that.");
            return;
        }
        switch (attempts.start(queue, event)) {
            case Attempts.Started _ -> inFlight++;
            case Attempts.Impossible(String reason) -> giveUp(queue, event, event.attempts(), reason);
        }
    }

    void ended(EndedAttempt ended) {
        inFlight--;
        EndpointQueue queue = ended.queue();
        HeldEvent event = ended.event();
        if (queue.dropped()) {
            return; // its new owner attempts it again
        }
        int attempt = event.attempts() + 1;
        Instant now = clock.instant();
        Next next = schedule.decide(ended.outcome(), attempt - event.resentAfter(), now, random.nextDouble());
        switch (next) {
            case Next.Delivered _ -> {
                announce(ended, attempt, WebhookAttempt.Outcome.DELIVERED, null);
                end(queue, event);
            }
            case Next.RetryAt(Instant at) -> {
                announce(ended, attempt, WebhookAttempt.Outcome.FAILED, at);
                queue.retryAt(event, at.toEpochMilli());
                save(queue, event);
            }
            case Next.GivenUp _ -> {
                announce(ended, attempt, WebhookAttempt.Outcome.GIVEN_UP, null);
                giveUp(queue, event, attempt, ended.exchange().sentence());
            }
            case Next.Gone _ -> {
                announce(ended, attempt, WebhookAttempt.Outcome.GONE, null);
                String url = event.delivery().url();
                queue.markGone(url, now.toEpochMilli());
                outbox.put(queue.partition(), new DeliveryState.Gone(queue.key(), url, now));
                giveUp(queue, event, attempt, ended.exchange().sentence());
            }
        }
        turns.schedule(queue, now.toEpochMilli());
    }

    /** Puts into the state what only the source has, so that its offset need not stay open for longer. */
    void saveArrivedUntil(long arrival) {
        owned.values().forEach(p -> p.unsavedUntil(arrival, u -> save(u.queue(), u.event())));
    }

    private void save(EndpointQueue queue, HeldEvent event) {
        outbox.put(
                queue.partition(),
                new DeliveryState.Waiting(
                        queue.key(),
                        event.delivery(),
                        event.attempts(),
                        Instant.ofEpochMilli(event.due()),
                        event.isResent() ? event.resentAfter() : null));
        if (!event.saved()) {
            event.markSaved();
            releaseSource(queue, event);
        }
    }

    private void giveUp(EndpointQueue queue, HeldEvent event, int attemptsMade, String reason) {
        Deliver delivery = event.delivery();
        LOG.warn("given up after {} attempts: {}: {}", attemptsMade, Announcements.words(delivery), reason);
        outbox.publish(Announcements.deadLetter(queue.key(), delivery, attemptsMade, reason, clock.instant()));
        end(queue, event);
    }

    private void end(EndpointQueue queue, HeldEvent event) {
        queue.ended(event);
        held--;
        if (event.saved()) {
            outbox.remove(queue.partition(), DeliveryState.Waiting.key(queue.key(), event.id()));
        } else {
            releaseSource(queue, event);
        }
        owner(queue).forgetIfIdle(queue);
    }

    private void releaseSource(EndpointQueue queue, HeldEvent event) {
        release(owner(queue), event.sourceOffset());
    }

    private OwnedPartition owner(EndpointQueue queue) {
        OwnedPartition owner = owned.get(queue.partition());
        if (owner == null) {
            throw new IllegalStateException("partition " + queue.partition() + " is not owned any more");
        }
        return owner;
    }

    private void release(OwnedPartition partition, long offset) {
        partition.offsets().release(offset);
        outbox.offsetsMoved();
    }

    private void announce(EndedAttempt ended, int attempt, WebhookAttempt.Outcome outcome, @Nullable Instant next) {
        outbox.publish(Announcements.attempt(ended, attempt, outcome, next));
    }
}
