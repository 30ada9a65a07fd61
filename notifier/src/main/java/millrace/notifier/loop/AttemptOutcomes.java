package millrace.notifier.loop;

import java.time.Instant;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import millrace.contracts.delivery.DeliveryState;
import millrace.contracts.delivery.EndpointState.Failure;
import millrace.contracts.delivery.WebhookAttempt.Outcome;
import millrace.notifier.endpoint.AttemptResult;
import millrace.notifier.endpoint.EndpointQueue;
import millrace.notifier.endpoint.HeldEvent;
import millrace.notifier.endpoint.RetryDecision;
import millrace.notifier.endpoint.RetrySchedule;
import millrace.runtime.telemetry.ServiceLogs;
import millrace.webhook.Exchange;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides what follows from the end of an attempt (delivered, retried, given up) and adds the records to the pending
 * writes. Not thread-safe.
 */
public final class AttemptOutcomes {
    private static final Logger LOG = LoggerFactory.getLogger(AttemptOutcomes.class);

    private static final String CROWDED = "It is not tried again, since events of " + Ownership.MOST_ENDPOINTS
            + " other endpoints of the account wait already.";

    private final RetrySchedule schedule;
    private final Ownership ownership;
    private final DeliveryStateWriter stateWriter;
    private final PendingWrites pendingWrites;
    private final EndpointStatePublisher states;
    private final DeliveryContext context;

    public AttemptOutcomes(
            RetrySchedule schedule,
            Ownership ownership,
            DeliveryStateWriter stateWriter,
            PendingWrites pendingWrites,
            EndpointStatePublisher states,
            DeliveryContext context) {
        this.schedule = schedule;
        this.ownership = ownership;
        this.stateWriter = stateWriter;
        this.pendingWrites = pendingWrites;
        this.states = states;
        this.context = context;
    }

    void ended(EndedAttempt ended) {
        EndpointQueue queue = ended.queue();
        Instant now = context.clock().wall();
        long time = context.clock().millis();
        AttemptResult result = ended.result(context.clock());
        queue.attempted(
                ended.event(),
                ended.delivery().url(),
                result,
                ended.began(),
                time,
                context.random().nextDouble());
        remember(ended, now);
        settle(ended, result, time, now);
        states.changed(queue);
    }

    private void settle(EndedAttempt ended, AttemptResult result, long time, Instant now) {
        EndpointQueue queue = ended.queue();
        HeldEvent event = ended.event();
        int attempt = event.attempts() + 1;
        RetryDecision next = schedule.decide(
                result,
                attempt - event.resentAfter(),
                Instant.ofEpochMilli(time),
                context.random().nextDouble());
        switch (next) {
            case RetryDecision.Delivered _ -> {
                announce(ended, Outcome.DELIVERED, null, now);
                end(queue, event);
            }
            case RetryDecision.RetryAt _
            when attempt == 1 && ownership.crowded(queue) -> {
                announce(ended, Outcome.GIVEN_UP, null, now);
                giveUp(queue, event, ended.delivery(), attempt, ended.exchange().sentence() + " " + CROWDED);
            }
            case RetryDecision.RetryAt(Instant at) -> {
                announce(ended, Outcome.FAILED, context.clock().wall(at.toEpochMilli()), now);
                queue.retryAt(event, at.toEpochMilli());
                event.fetched(ended.delivery());
                stateWriter.save(queue, event, ended.delivery());
            }
            case RetryDecision.GivenUp _ -> {
                announce(ended, Outcome.GIVEN_UP, null, now);
                giveUp(queue, event, ended.delivery(), attempt, ended.exchange().sentence());
            }
            case RetryDecision.Gone _ -> {
                announce(ended, Outcome.GONE, null, now);
                String url = ended.delivery().url();
                queue.markGone(url, now.toEpochMilli());
                stateWriter.deleteForgotten(queue);
                var state = new DeliveryState.Gone(queue.key(), url, now);
                ownership.of(queue).keep(state.key());
                pendingWrites.put(queue.partition(), state);
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
        pendingWrites.publish(WebhookTopicRecords.attempt(ended, ended.event().attempts() + 1, outcome, nextAttemptAt));
        context.metrics().ended(ended, outcome, now);
    }

    /** Gives the event up without another attempt. */
    void giveUp(EndpointQueue queue, HeldEvent event, Deliver delivery, String reason) {
        giveUp(queue, event, delivery, event.attempts(), reason);
    }

    private void giveUp(EndpointQueue queue, HeldEvent event, Deliver delivery, int attemptsMade, String reason) {
        giveUp(queue, delivery, attemptsMade, reason);
        end(queue, event);
    }

    /** Gives up an event that is not held. */
    void giveUp(EndpointQueue queue, Deliver delivery, int attemptsMade, String reason) {
        ServiceLogs.traced(LOG.atWarn(), delivery.traceparent())
                .addKeyValue(ServiceLogs.REPORT, delivery.reportId())
                .addKeyValue(ServiceLogs.ACCOUNT, delivery.accountId())
                .log(
                        "delivery given up {} attempts={} reason={}",
                        WebhookTopicRecords.forLog(delivery),
                        attemptsMade,
                        reason);
        pendingWrites.publish(WebhookTopicRecords.deadLetter(
                queue.key(), delivery, attemptsMade, reason, context.clock().wall()));
    }

    private void end(EndpointQueue queue, HeldEvent event) {
        queue.ended(event);
        ownership.oneLess(queue);
        stateWriter.ended(queue, event);
        states.changed(queue);
    }
}
