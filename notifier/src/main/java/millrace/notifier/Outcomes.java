package millrace.notifier;

import java.time.Instant;
import millrace.contracts.DeliveryCommand.Deliver;
import millrace.contracts.DeliveryState;
import millrace.contracts.EndpointState.Failure;
import millrace.contracts.WebhookAttempt.Outcome;
import millrace.notifier.delivery.EndpointQueue;
import millrace.notifier.delivery.HeldEvent;
import millrace.notifier.delivery.Next;
import millrace.notifier.delivery.RetrySchedule;
import millrace.runtime.Logs;
import millrace.webhook.Exchange;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts what follows from the end of an attempt, or of an event, into the outbox. For one thread. */
final class Outcomes {
    private static final Logger LOG = LoggerFactory.getLogger(Outcomes.class);

    private final RetrySchedule schedule;
    private final Ownership ownership;
    private final Safekeeping safekeeping;
    private final Outbox outbox;
    private final EndpointStates states;
    private final Surroundings surroundings;

    Outcomes(
            RetrySchedule schedule,
            Ownership ownership,
            Safekeeping safekeeping,
            Outbox outbox,
            EndpointStates states,
            Surroundings surroundings) {
        this.schedule = schedule;
        this.ownership = ownership;
        this.safekeeping = safekeeping;
        this.outbox = outbox;
        this.states = states;
        this.surroundings = surroundings;
    }

    void ended(EndedAttempt ended) {
        EndpointQueue queue = ended.queue();
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
                announce(ended, Outcome.DELIVERED, null, now);
                end(queue, event);
            }
            case Next.RetryAt(Instant at) -> {
                announce(ended, Outcome.FAILED, at, now);
                queue.retryAt(event, at.toEpochMilli());
                event.fetched(ended.delivery());
                safekeeping.save(queue, event, ended.delivery());
            }
            case Next.GivenUp _ -> {
                announce(ended, Outcome.GIVEN_UP, null, now);
                giveUp(queue, event, ended.delivery(), attempt, ended.exchange().sentence());
            }
            case Next.Gone _ -> {
                announce(ended, Outcome.GONE, null, now);
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

    private void announce(EndedAttempt ended, Outcome outcome, @Nullable Instant nextAttemptAt, Instant now) {
        outbox.publish(Announcements.attempt(ended, ended.event().attempts() + 1, outcome, nextAttemptAt));
        surroundings.figures().ended(ended, outcome, now);
    }

    /** Without another attempt. */
    void giveUp(EndpointQueue queue, HeldEvent event, Deliver delivery, String reason) {
        giveUp(queue, event, delivery, event.attempts(), reason);
    }

    private void giveUp(EndpointQueue queue, HeldEvent event, Deliver delivery, int attemptsMade, String reason) {
        Logs.traced(LOG.atWarn(), delivery.traceparent())
                .addKeyValue(Logs.REPORT, delivery.reportId())
                .addKeyValue(Logs.ACCOUNT, delivery.accountId())
                .log("given up after {} attempts: {}: {}", attemptsMade, Announcements.words(delivery), reason);
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
        safekeeping.ended(queue, event);
        states.changed(queue);
    }
}
