package millrace.notifier.loop;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import millrace.notifier.NotifierSettings;
import millrace.notifier.endpoint.EndpointQueue;
import millrace.notifier.endpoint.EndpointTurns;
import millrace.notifier.endpoint.HeldEvent;
import millrace.runtime.service.SteadyClock;

/**
 * Starts attempts for events that are due, one endpoint after the other and as far as the caps allow. Gives up events
 * that are too old. Not thread-safe.
 */
public final class DeliveryScheduler {
    private static final int EXPIRED_AT_ONCE = 10_000;

    private final NotifierSettings settings;
    private final AttemptStarter attempts;
    private final PayloadReader payloadReader;
    private final Ownership ownership;
    private final AttemptOutcomes outcomes;
    private final SteadyClock clock;
    private final EndpointTurns turns = new EndpointTurns();
    private int inFlight;
    private int slowInFlight;

    public DeliveryScheduler(
            NotifierSettings settings,
            AttemptStarter attempts,
            PayloadReader payloadReader,
            Ownership ownership,
            AttemptOutcomes outcomes,
            SteadyClock clock) {
        this.settings = settings;
        this.attempts = attempts;
        this.payloadReader = payloadReader;
        this.ownership = ownership;
        this.outcomes = outcomes;
        this.clock = clock;
    }

    /** Adds a partition whose state has been restored. */
    public void own(OwnedPartition partition) {
        ownership.add(partition);
        partition.queues().forEach(queue -> turns.schedule(queue, now()));
    }

    public Ownership ownership() {
        return ownership;
    }

    public Map<Integer, OwnedPartition> owned() {
        return ownership.partitions();
    }

    /** The time of the loop, which does not follow where the wall clock is set. */
    public long now() {
        return clock.millis();
    }

    /** What the wall clock says, to compare with the times of events; milliseconds since the epoch. */
    public long wallNow() {
        return clock.wall().toEpochMilli();
    }

    /** Number of attempts under way, including events whose payload is being read for one. */
    public int inFlight() {
        return inFlight;
    }

    /**
     * When the next attempt may start. {@link Long#MAX_VALUE} where an attempt has to end or an event to arrive first.
     */
    public long nextDue() {
        return inFlight < settings.inFlight() ? turns.nextDue(slowLaneOpen()) : Long.MAX_VALUE;
    }

    private boolean slowLaneOpen() {
        return slowInFlight < Math.max(1, settings.inFlight() * settings.slowPercent() / 100);
    }

    /** To be called after the queue of the endpoint has changed. */
    public void changed(EndpointQueue queue) {
        turns.schedule(queue, now());
    }

    /** Starts attempts for due events, one of each endpoint in turn, as far as the cap allows. */
    public void startDue() {
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
            payloadReader.fetch(queue, event);
        } else {
            attempt(queue, event, delivery);
        }
    }

    public void fetched(LoopMessage.Fetched fetched) {
        inFlight--;
        if (!fetched.queue().dropped()) {
            attempt(fetched.queue(), fetched.event(), fetched.delivery());
            turns.schedule(fetched.queue(), now());
        }
    }

    private void attempt(EndpointQueue queue, HeldEvent event, Deliver delivery) {
        String gone = queue.whyGone(delivery.url());
        if (gone != null) {
            outcomes.giveUp(queue, event, delivery, gone);
            return;
        }
        if (event.occurredAt() < expiry() && !event.isResent() && queue.mayGiveUp(event)) {
            outcomes.giveUp(queue, event, delivery, undelivered(settings.giveUpAfter()));
            return;
        }
        boolean slow = attempts.start(queue, event, delivery);
        inFlight++;
        slowInFlight += slow ? 1 : 0;
    }

    public void ended(EndedAttempt ended) {
        inFlight--;
        slowInFlight -= ended.slow() ? 1 : 0;
        if (!ended.queue().dropped()) { // else the new owner of the partition attempts it again
            outcomes.ended(ended);
            turns.schedule(ended.queue(), now());
        }
    }

    /** Gives up events that are too old and were attempted, or wait for an endpoint that fails as a whole. */
    public void giveUpExpired() {
        long before = expiry();
        for (OwnedPartition partition : owned().values()) {
            for (EndpointQueue queue : new ArrayList<>(partition.queues())) {
                queue.takeExpired(before, EXPIRED_AT_ONCE).forEach(event -> start(queue, event));
            }
        }
    }

    /** Gives up an event of a backlog, since it is too old. */
    public void expired(EndpointQueue queue, Deliver delivery, int attempts) {
        outcomes.giveUp(queue, delivery, attempts, undelivered(settings.giveUpBacklogAfter()));
    }

    private static String undelivered(Duration within) {
        return "It could not be delivered within " + within.toHours() + " hours.";
    }

    private long expiry() {
        return wallNow() - settings.giveUpAfter().toMillis();
    }

    /**
     * Events of the endpoint's backlog that occurred before are too old, in milliseconds since the epoch. None of them
     * was attempted, so that they are kept longer where the endpoint answers.
     */
    public long backlogExpiry(EndpointQueue queue) {
        Duration kept =
                queue.flow().breaker().holdsAll() ? settings.giveUpBacklogAfter() : NotifierSettings.LONGEST_BACKLOG;
        return wallNow() - kept.toMillis();
    }
}
