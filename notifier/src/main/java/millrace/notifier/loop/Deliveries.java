package millrace.notifier.loop;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import millrace.contracts.delivery.DeliveryState;
import millrace.contracts.delivery.EndpointState;
import millrace.contracts.delivery.EndpointState.Failure;
import millrace.contracts.delivery.WebhookAttempt.Outcome;
import millrace.notifier.NotifierSettings;
import millrace.notifier.endpoint.AttemptResult;
import millrace.notifier.endpoint.EndpointQueue;
import millrace.notifier.endpoint.EndpointTurns;
import millrace.notifier.endpoint.HeldEvent;
import millrace.notifier.endpoint.RetrySchedule;
import millrace.notifier.endpoint.RetrySchedule.Decision;
import millrace.runtime.service.SteadyClock;
import millrace.runtime.telemetry.ServiceLogs;
import millrace.runtime.telemetry.Spans;
import millrace.webhook.Exchange;
import millrace.webhook.Exchange.ExchangeTimings;
import millrace.webhook.Webhook;
import millrace.webhook.WebhookSigner;
import millrace.webhook.WebhookTransport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers events: takes one that is due, signs and sends it, and adds what follows from the attempt to the next
 * transaction. Endpoints take turns, as far as the caps of attempts under way allow. Not thread-safe.
 */
final class Deliveries {
    private static final Logger LOG = LoggerFactory.getLogger(Deliveries.class);
    private static final Spans SPANS = Spans.of("notifier");
    private static final int EXPIRED_AT_ONCE = 10_000;

    private static final String CROWDED = " It is not tried again, since events of " + Ownership.MOST_ENDPOINTS
            + " other endpoints of the account wait already.";

    private final NotifierSettings settings;
    private final RetrySchedule retries;
    private final WebhookTransport sender;
    private final WebhookSecrets secrets;
    private final RandomGenerator random;
    private final SteadyClock clock;
    private final DeliveryMetrics metrics;
    private final Mailbox mailbox;
    private final PayloadReader payloadReader;
    private final Ownership ownership;
    private final PendingWrites pendingWrites;
    private final EndpointStatePublisher states;
    private final EndpointTurns turns = new EndpointTurns();
    private int inFlight;
    private int slowInFlight;

    Deliveries(
            NotifierSettings settings,
            NotifierEnvironment environment,
            SteadyClock clock,
            DeliveryMetrics metrics,
            Mailbox mailbox,
            PayloadReader payloadReader,
            Ownership ownership,
            PendingWrites pendingWrites,
            EndpointStatePublisher states) {
        this.settings = settings;
        this.retries = settings.schedule();
        this.sender = environment.sender();
        this.secrets = environment.secrets();
        this.random = environment.random();
        this.clock = clock;
        this.metrics = metrics;
        this.mailbox = mailbox;
        this.payloadReader = payloadReader;
        this.ownership = ownership;
        this.pendingWrites = pendingWrites;
        this.states = states;
    }

    /** Adds a partition whose state has been restored. */
    void own(OwnedPartition partition) {
        ownership.add(partition);
        partition.queues().forEach(queue -> turns.schedule(queue, clock.millis()));
    }

    /** Starts attempts for events that are due, one of each endpoint in turn, as far as the caps allow. */
    void startDue() {
        long now = clock.millis();
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
            payloadReader.fetch(queue, event); // the loop calls fetched() with it
        } else {
            attempt(queue, event, delivery);
        }
    }

    void fetched(LoopMessage.Fetched fetched) {
        inFlight--;
        if (!fetched.queue().dropped()) {
            attempt(fetched.queue(), fetched.event(), fetched.delivery());
            turns.schedule(fetched.queue(), clock.millis());
        }
    }

    private void attempt(EndpointQueue queue, HeldEvent event, Deliver delivery) {
        String reason = whyNot(queue, event, delivery);
        if (reason == null) {
            send(queue, event, delivery);
        } else {
            giveUp(queue, event, delivery, event.attempts(), reason);
            changed(queue);
        }
    }

    /** Why the event is given up without an attempt; null if it is sent. */
    private @Nullable String whyNot(EndpointQueue queue, HeldEvent event, Deliver delivery) {
        String gone = queue.whyGone(delivery.url());
        if (gone != null) {
            return gone;
        }
        boolean tooOld = event.occurredAt() < expiry() && !event.isResent() && queue.mayGiveUp(event);
        return tooOld ? undelivered(settings.giveUpAfter()) : null;
    }

    /** Does not block. The loop calls {@link #ended} with the result, which arrives in the mailbox. */
    @SuppressWarnings("FutureReturnValueIgnored")
    private void send(EndpointQueue queue, HeldEvent event, Deliver delivery) {
        boolean slow = queue.flow().slow();
        inFlight++;
        slowInFlight += slow ? 1 : 0;
        long began = clock.millis();
        Instant startedAt = clock.wall();
        Span span = beginSpan(delivery);
        exchange(queue, delivery, Spans.traceparent(span, delivery.traceparent()))
                .thenAccept(exchange -> {
                    endSpan(span, exchange);
                    mailbox.put(new LoopMessage.EndedAttempt(queue, event, delivery, slow, began, startedAt, exchange));
                })
                .exceptionally(error -> {
                    mailbox.put(new LoopMessage.Failed(error)); // without a result the attempt would never end
                    return null;
                });
    }

    /**
     * Signs and sends. The sender checks the host's addresses after it has looked them up. An unknown account may
     * arrive later, so a missing secret is a failed attempt that is retried.
     */
    private CompletableFuture<Exchange> exchange(EndpointQueue queue, Deliver delivery, String traceparent) {
        WebhookSigner signer;
        try {
            // Read for each attempt, so that a rotated secret is used at once.
            signer = ownership.of(queue).signer(queue, secrets.of(delivery.accountId()));
        } catch (IllegalArgumentException e) {
            String reason = "it cannot be signed for account " + delivery.accountId() + ": " + e.getMessage();
            return CompletableFuture.completedFuture(new Exchange.Blocked(reason, ExchangeTimings.NONE));
        }
        return sender.send(new Webhook(delivery.url(), delivery.eventId(), delivery.body(), signer, traceparent));
    }

    /** Decides what follows from an attempt: the event is delivered, tried again, or given up. */
    void ended(LoopMessage.EndedAttempt ended) {
        inFlight--;
        slowInFlight -= ended.slow() ? 1 : 0;
        EndpointQueue queue = ended.queue();
        if (queue.dropped()) {
            return; // the new owner of the partition attempts it again
        }
        HeldEvent event = ended.event();
        Deliver delivery = ended.delivery();
        Exchange exchange = ended.exchange();
        long now = clock.millis();
        Instant wallNow = clock.wall();
        AttemptResult result = result(exchange);
        queue.attempted(event, delivery.url(), result, ended.began(), now, random.nextDouble());
        remember(queue, exchange, wallNow);
        int attempts = event.attempts() + 1;
        Decision next =
                retries.decide(result, attempts - event.resentAfter(), Instant.ofEpochMilli(now), random.nextDouble());
        switch (next) {
            case Decision.Delivered _ -> {
                publish(ended, Outcome.DELIVERED, wallNow);
                end(queue, event);
            }
            case Decision.RetryAt _
            when attempts == 1 && ownership.crowded(queue) -> {
                publish(ended, Outcome.GIVEN_UP, wallNow);
                giveUp(queue, event, delivery, attempts, exchange.sentence() + CROWDED);
            }
            case Decision.RetryAt(Instant at) -> {
                EndpointState.HeldUrl held = queue.hold(event, delivery.url(), now);
                publish(
                        ended,
                        Outcome.FAILED,
                        clock.wall(at.toEpochMilli()),
                        held == null ? null : PlannedTimes.moved(held, clock.toWall()),
                        wallNow);
                queue.retryAt(event, at.toEpochMilli());
                event.fetched(delivery);
                pendingWrites.save(queue, event, delivery);
            }
            case Decision.GivenUp _ -> {
                publish(ended, Outcome.GIVEN_UP, wallNow);
                giveUp(queue, event, delivery, attempts, exchange.sentence());
            }
            case Decision.Gone _ -> {
                publish(ended, Outcome.GONE, wallNow);
                markGone(queue, delivery.url(), wallNow);
                giveUp(queue, event, delivery, attempts, exchange.sentence());
            }
        }
        changed(queue);
    }

    private AttemptResult result(Exchange exchange) {
        if (!(exchange instanceof Exchange.Answered answered)) {
            return new AttemptResult.NoAnswer();
        }
        Instant retryAfter = answered.retryAfter();
        return new AttemptResult.Answered(
                answered.status(), retryAfter == null ? null : Instant.ofEpochMilli(clock.of(retryAfter)));
    }

    private static void remember(EndpointQueue queue, Exchange exchange, Instant now) {
        if (exchange instanceof Exchange.Answered answered && answered.success()) {
            queue.history().succeeded(now);
        } else {
            Integer status = exchange instanceof Exchange.Answered answered ? answered.status() : null;
            queue.history().failed(new Failure(now, status, exchange.sentence()));
        }
    }

    /** The last attempt of its event. */
    private void publish(LoopMessage.EndedAttempt ended, Outcome outcome, Instant now) {
        publish(ended, outcome, null, null, now);
    }

    private void publish(
            LoopMessage.EndedAttempt ended,
            Outcome outcome,
            @Nullable Instant nextAttemptAt,
            EndpointState.@Nullable HeldUrl held,
            Instant now) {
        int attempt = ended.event().attempts() + 1;
        pendingWrites.publish(WebhookTopicRecords.attempt(ended, attempt, outcome, nextAttemptAt, held));
        metrics.ended(ended, outcome, now);
    }

    private void markGone(EndpointQueue queue, String url, Instant now) {
        queue.markGone(url, now.toEpochMilli());
        pendingWrites.deleteForgotten(queue);
        var state = new DeliveryState.Gone(queue.key(), url, now);
        ownership.of(queue).keep(state.key());
        pendingWrites.put(queue.partition(), state);
    }

    private void giveUp(EndpointQueue queue, HeldEvent event, Deliver delivery, int attempts, String reason) {
        deadLetter(queue, delivery, attempts, reason);
        end(queue, event);
    }

    private void end(EndpointQueue queue, HeldEvent event) {
        queue.ended(event);
        ownership.oneLess(queue);
        pendingWrites.ended(queue, event);
    }

    private void deadLetter(EndpointQueue queue, Deliver delivery, int attempts, String reason) {
        ServiceLogs.traced(LOG.atWarn(), delivery.traceparent())
                .addKeyValue(ServiceLogs.REPORT, delivery.reportId())
                .addKeyValue(ServiceLogs.ACCOUNT, delivery.accountId())
                .log(
                        "delivery given up {} attempts={} reason={}",
                        WebhookTopicRecords.forLog(delivery),
                        attempts,
                        reason);
        pendingWrites.publish(WebhookTopicRecords.deadLetter(queue.key(), delivery, attempts, reason, clock.wall()));
    }

    /** To be called after a queue has changed. */
    void changed(EndpointQueue queue) {
        changedAlone(queue);
        for (String key : queue.takeReleased()) {
            EndpointQueue other = ownership.of(queue).known(key);
            if (other != null) {
                changedAlone(other);
            }
        }
    }

    private void changedAlone(EndpointQueue queue) {
        turns.schedule(queue, clock.millis());
        states.changed(queue);
    }

    /** Number of attempts under way, including events whose payload is being read for one. */
    int inFlight() {
        return inFlight;
    }

    /**
     * When the next attempt may start. {@link Long#MAX_VALUE} if an attempt has to end or an event to arrive first.
     */
    long nextDue() {
        return inFlight < settings.inFlight() ? turns.nextDue(slowLaneOpen()) : Long.MAX_VALUE;
    }

    private boolean slowLaneOpen() {
        return slowInFlight < Math.max(1, settings.inFlight() * settings.slowPercent() / 100);
    }

    /** Gives up events that are too old and were attempted, or wait for an endpoint that fails as a whole. */
    void giveUpExpired() {
        long before = expiry();
        for (OwnedPartition partition : ownership.partitions().values()) {
            for (EndpointQueue queue : new ArrayList<>(partition.queues())) {
                queue.takeExpired(before, EXPIRED_AT_ONCE).forEach(event -> start(queue, event));
            }
        }
    }

    /** Gives up an event that is only in a backlog, since it is too old. */
    void expired(EndpointQueue queue, Deliver delivery, int attempts) {
        deadLetter(queue, delivery, attempts, undelivered(settings.giveUpBacklogAfter()));
    }

    private static String undelivered(Duration within) {
        return "It could not be delivered within " + within.toHours() + " hours.";
    }

    /** Events that occurred before are too old; in milliseconds of the wall clock, as events are. */
    private long expiry() {
        return clock.wall().toEpochMilli() - settings.giveUpAfter().toMillis();
    }

    /** Its context is sent to the receiver, whose spans become children of it. */
    private static Span beginSpan(Deliver delivery) {
        Span span = SPANS.begin("webhook.attempt", SpanKind.CLIENT, delivery.traceparent());
        if (span.isRecording()) {
            span.setAttribute(Spans.REPORT, delivery.reportId().toString());
            span.setAttribute(Spans.ACCOUNT, delivery.accountId());
            span.setAttribute("millrace.event_id", delivery.eventId());
        }
        return span;
    }

    private static void endSpan(Span span, Exchange exchange) {
        if (!span.isRecording()) {
            return;
        }
        if (exchange instanceof Exchange.Answered answered) {
            span.setAttribute("http.response.status_code", answered.status());
            if (!answered.success()) {
                span.setStatus(StatusCode.ERROR, answered.sentence());
            }
        } else {
            span.setStatus(StatusCode.ERROR, exchange.sentence());
        }
        span.end();
    }
}
