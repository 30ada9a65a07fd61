package millrace.notifier;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import millrace.contracts.DeliveryCommand.Deliver;
import millrace.contracts.DeliveryState;
import millrace.contracts.EndpointState.Failure;
import millrace.contracts.WebhookAttempt.Outcome;
import millrace.notifier.delivery.EndpointQueue;
import millrace.notifier.delivery.HeldEvent;
import millrace.notifier.delivery.Next;
import millrace.notifier.delivery.RetrySchedule;
import millrace.notifier.delivery.Turns;
import millrace.webhook.Exchange;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Applies what is decided about events: starts attempts, and puts what follows from their ends into the outbox. */
final class Deliveries {
    private static final Logger LOG = LoggerFactory.getLogger(Deliveries.class);
    /** An event that is due sooner keeps what is to be sent in memory. */
    private static final long SOON_MILLIS = 2000;
    /** As long as no more events are held than this, all of them do. */
    private static final int FEW = 20_000;

    private static final int EXPIRED_AT_ONCE = 10_000;

    private final NotifierSettings settings;
    private final RetrySchedule schedule;
    private final Attempts attempts;
    private final Payloads payloads;
    private final Outbox outbox;
    private final Surroundings surroundings;
    private final EndpointStates states;
    private final Ownership ownership = new Ownership();
    private final Turns turns = new Turns();
    private int inFlight;
    private int slowInFlight;

    Deliveries(
            NotifierSettings settings,
            Attempts attempts,
            Payloads payloads,
            Outbox outbox,
            EndpointStates states,
            Surroundings surroundings) {
        this.settings = settings;
        this.schedule = settings.schedule();
        this.attempts = attempts;
        this.payloads = payloads;
        this.outbox = outbox;
        this.states = states;
        this.surroundings = surroundings;
    }

    /** A partition with what was left in its state. */
    void own(OwnedPartition partition) {
        ownership.add(partition);
        partition.queues().forEach(queue -> turns.schedule(queue, now()));
    }

    Ownership ownership() {
        return ownership;
    }

    Map<Integer, OwnedPartition> owned() {
        return ownership.partitions();
    }

    /** Milliseconds since the epoch. */
    long now() {
        return surroundings.clock().millis();
    }

    /** Attempts under way, and events that are read back for one. */
    int inFlight() {
        return inFlight;
    }

    /** When an attempt may start; {@link Long#MAX_VALUE}: not before one has ended or an event arrives. */
    long nextDue() {
        return inFlight < settings.inFlight() ? turns.nextDue(slowLaneOpen()) : Long.MAX_VALUE;
    }

    private boolean slowLaneOpen() {
        return slowInFlight < Math.max(1, settings.inFlight() * settings.slowPercent() / 100);
    }

    /** Something about the endpoint has changed. */
    void changed(EndpointQueue queue) {
        turns.schedule(queue, now());
        states.changed(queue);
    }

    /** Starts what is due, an event of each endpoint in turn, as far as the cap allows. */
    void startDue() {
        long now = now();
        while (inFlight < settings.inFlight()) {
            EndpointQueue queue = turns.next(now, slowLaneOpen());
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
        Deliver delivery = event.delivery();
        if (delivery == null) {
            inFlight++;
            payloads.fetch(queue, event);
        } else {
            attempt(queue, event, delivery);
        }
    }

    void fetched(Mail.Fetched fetched) {
        inFlight--;
        if (!fetched.queue().dropped()) {
            attempt(fetched.queue(), fetched.event(), fetched.delivery());
            turns.schedule(fetched.queue(), now());
        }
    }

    private void attempt(EndpointQueue queue, HeldEvent event, Deliver delivery) {
        if (queue.isGone(delivery.url())) {
            giveUp(
                    queue,
                    event,
                    delivery,
                    event.attempts(),
                    "The URL answered 410 before; a webhook test to it lifts that.");
            return;
        }
        if (event.occurredAt() < expiry() && !event.isResent()) {
            giveUp(
                    queue,
                    event,
                    delivery,
                    event.attempts(),
                    "It could not be delivered within " + settings.giveUpAfter().toHours() + " hours.");
            return;
        }
        switch (attempts.start(queue, event, delivery)) {
            case Attempts.Started(boolean slow) -> {
                inFlight++;
                slowInFlight += slow ? 1 : 0;
            }
            case Attempts.Impossible(String reason) -> giveUp(queue, event, delivery, event.attempts(), reason);
        }
    }

    void ended(EndedAttempt ended) {
        inFlight--;
        slowInFlight -= ended.slow() ? 1 : 0;
        EndpointQueue queue = ended.queue();
        if (queue.dropped()) {
            return; // its new owner attempts it again
        }
        Instant now = surroundings.clock().instant();
        queue.flow()
                .ended(
                        ended.outcome(),
                        ended.startedAt().toEpochMilli(),
                        now.toEpochMilli(),
                        queue.inFlight(),
                        surroundings.random().nextDouble());
        remember(ended, now);
        settle(ended, now);
        turns.schedule(queue, now.toEpochMilli());
        states.changed(queue);
    }

    private void settle(EndedAttempt ended, Instant now) {
        EndpointQueue queue = ended.queue();
        HeldEvent event = ended.event();
        int attempt = event.attempts() + 1;
        Next next = schedule.decide(
                ended.outcome(),
                attempt - event.resentAfter(),
                now,
                surroundings.random().nextDouble());
        switch (next) {
            case Next.Delivered _ -> {
                announce(ended, Outcome.DELIVERED, now);
                end(queue, event);
            }
            case Next.RetryAt(Instant at) -> {
                outbox.publish(Announcements.attempt(ended, attempt, Outcome.FAILED, at));
                surroundings.figures().ended(ended, Outcome.FAILED, now);
                queue.retryAt(event, at.toEpochMilli());
                event.fetched(ended.delivery());
                save(queue, event, ended.delivery());
            }
            case Next.GivenUp _ -> {
                announce(ended, Outcome.GIVEN_UP, now);
                giveUp(queue, event, ended.delivery(), attempt, ended.exchange().sentence());
            }
            case Next.Gone _ -> {
                announce(ended, Outcome.GONE, now);
                String url = ended.delivery().url();
                queue.markGone(url, now.toEpochMilli());
                outbox.put(queue.partition(), new DeliveryState.Gone(queue.key(), url, now));
                giveUp(queue, event, ended.delivery(), attempt, ended.exchange().sentence());
            }
        }
    }

    private static void remember(EndedAttempt ended, Instant now) {
        Exchange exchange = ended.exchange();
        if (exchange instanceof Exchange.Answered answered && answered.success()) {
            ended.queue().history().succeeded(now);
        } else {
            Integer status = exchange instanceof Exchange.Answered answered ? answered.status() : null;
            ended.queue().history().failed(new Failure(now, status, exchange.sentence()));
        }
    }

    /** Puts into the state what only the source has, so that its offset need not stay open for longer. */
    void saveArrivedUntil(long arrival) {
        owned().values()
                .forEach(p -> p.unsavedUntil(
                        arrival,
                        u -> save(
                                u.queue(),
                                u.event(),
                                Objects.requireNonNull(u.event().delivery()))));
    }

    private void save(EndpointQueue queue, HeldEvent event, Deliver delivery) {
        if (!event.saved()) {
            release(ownership.of(queue), event.sourceOffset());
        }
        event.markSaved();
        outbox.save(queue, event, delivery);
    }

    /** These are in the state topic now; what is to be sent need not be in memory as well. */
    void saved(List<Transactions.Saved> committed) {
        long soon = now() + SOON_MILLIS;
        for (Transactions.Saved saved : committed) {
            HeldEvent event = saved.event();
            event.savedAt(saved.offset());
            if (event.due() > soon || ownership.held() > FEW) {
                event.putAway();
            }
        }
    }

    /** Gives up what is too old, also where a breaker keeps it from being attempted. */
    void giveUpExpired() {
        long before = expiry();
        for (OwnedPartition partition : owned().values()) {
            for (EndpointQueue queue : new ArrayList<>(partition.queues())) {
                queue.takeExpired(before, EXPIRED_AT_ONCE).forEach(event -> start(queue, event));
            }
        }
    }

    private long expiry() {
        return now() - settings.giveUpAfter().toMillis();
    }

    private void giveUp(EndpointQueue queue, HeldEvent event, Deliver delivery, int attemptsMade, String reason) {
        LOG.warn("given up after {} attempts: {}: {}", attemptsMade, Announcements.words(delivery), reason);
        outbox.publish(Announcements.deadLetter(
                queue.key(),
                delivery,
                attemptsMade,
                reason,
                surroundings.clock().instant()));
        end(queue, event);
    }

    private void end(EndpointQueue queue, HeldEvent event) {
        queue.ended(event);
        ownership.oneLess();
        if (event.saved()) {
            outbox.remove(queue.partition(), DeliveryState.Waiting.key(queue.key(), event.id()));
        } else {
            release(ownership.of(queue), event.sourceOffset());
        }
        states.changed(queue);
    }

    void release(OwnedPartition partition, long offset) {
        partition.offsets().release(offset);
        outbox.offsetsMoved();
    }

    private void announce(EndedAttempt ended, Outcome outcome, Instant now) {
        outbox.publish(Announcements.attempt(ended, ended.event().attempts() + 1, outcome, null));
        surroundings.figures().ended(ended, outcome, now);
    }
}
