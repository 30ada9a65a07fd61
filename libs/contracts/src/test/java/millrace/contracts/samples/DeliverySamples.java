package millrace.contracts.samples;

import static millrace.contracts.samples.SampleValues.ACCOUNT;
import static millrace.contracts.samples.SampleValues.REPORT;
import static millrace.contracts.samples.SampleValues.TRACE;
import static millrace.contracts.samples.SampleValues.URL;
import static millrace.contracts.samples.SampleValues.at;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import millrace.contracts.delivery.DeliveryCommand;
import millrace.contracts.delivery.DeliveryState;
import millrace.contracts.delivery.EndpointState;
import millrace.contracts.delivery.WebhookAttempt;
import millrace.contracts.delivery.WebhookAttempt.Outcome;
import millrace.contracts.delivery.WebhookDeadLetter;
import millrace.contracts.delivery.WebhookEndpoint;
import millrace.contracts.topics.Topics;
import org.jspecify.annotations.Nullable;

/** One event on its way to a receiver. */
final class DeliverySamples {
    private static final String EVENT = REPORT + ".2";
    private static final String ENDPOINT = WebhookEndpoint.of(ACCOUNT, URL).key();
    private static final String BODY =
            "{\"event_type\":\"report_status_change\",\"payload\":{\"report_id\":\"" + REPORT + "\"}}";
    private static final Map<String, Long> UNANSWERED = Map.of("connect", 5000L);

    private static final DeliveryCommand.Deliver DELIVER =
            new DeliveryCommand.Deliver(EVENT, ACCOUNT, URL, REPORT, 2, at("08:15:31.870"), BODY, TRACE);

    static final List<MessageSample<?>> ALL = List.of(
            new MessageSample<>(Topics.DELIVERIES, "deliver", DELIVER),
            new MessageSample<>(
                    Topics.DELIVERY_STATE,
                    "waiting",
                    new DeliveryState.Waiting(ENDPOINT, DELIVER, 1, at("08:15:37.100"), null)),
            new MessageSample<>(
                    Topics.DELIVERY_STATE,
                    "waiting-resent",
                    new DeliveryState.Waiting(ENDPOINT, DELIVER, 11, at("08:15:37.100"), 10)),
            new MessageSample<>(
                    Topics.DELIVERY_STATE, "behind", new DeliveryState.Behind(ENDPOINT, 48151, at("08:15:31.870"))),
            new MessageSample<>(
                    Topics.DELIVERY_STATE, "gone", new DeliveryState.Gone(ENDPOINT, URL, at("08:15:31.900"))),
            new MessageSample<>(
                    Topics.DELIVERIES, "reinstate", new DeliveryCommand.Reinstate(ACCOUNT, URL, at("09:00:00.000"))),
            new MessageSample<>(
                    Topics.DELIVERIES, "resend", new DeliveryCommand.Resend(DELIVER, 10, at("09:00:00.000"))),
            new MessageSample<>(
                    Topics.DELIVERIES,
                    "enable_endpoint",
                    new DeliveryCommand.EnableEndpoint(ACCOUNT, ENDPOINT, at("09:00:00.000"))),
            new MessageSample<>(
                    Topics.DELIVERIES,
                    "erase_report",
                    new DeliveryCommand.EraseReport(ACCOUNT, REPORT, at("09:00:00.000"))),
            new MessageSample<>(
                    Topics.ENDPOINT_STATE,
                    "closed",
                    new EndpointState(
                            ACCOUNT,
                            ENDPOINT,
                            EndpointState.Breaker.CLOSED,
                            0,
                            null,
                            null,
                            0,
                            null,
                            at("08:15:31.900"),
                            null,
                            0,
                            List.of(),
                            at("08:15:31.900"),
                            null)),
            held(
                    "held",
                    EndpointState.HeldReason.RETRY_AFTER,
                    at("08:25:31.900"),
                    EndpointState.HeldReason.RETRY_AFTER),
            held("held-by-url", null, null, EndpointState.HeldReason.FAILING),
            held("held-gone", EndpointState.HeldReason.GONE, null, EndpointState.HeldReason.RETRY_AFTER),
            failing(
                    "open",
                    EndpointState.Breaker.OPEN,
                    new EndpointState.Failure(at("08:15:31.900"), null, "no answer")),
            failing(
                    "half_open",
                    EndpointState.Breaker.HALF_OPEN,
                    new EndpointState.Failure(at("08:15:31.900"), 503, "the receiver answered 503")),
            attempt("delivered", 1, Outcome.DELIVERED, 204, null, Map.of("headers", 38L), null, null),
            new MessageSample<>(
                    Topics.WEBHOOK_ATTEMPTS,
                    "with-the-id-of-the-endpoint",
                    attempt(
                            1,
                            Outcome.DELIVERED,
                            204,
                            null,
                            Map.of("headers", 38L),
                            null,
                            null,
                            WebhookEndpoint.id(ENDPOINT))),
            attempt(
                    "failed",
                    1,
                    Outcome.FAILED,
                    500,
                    "the receiver answered 500",
                    Map.of("headers", 38L),
                    at("08:15:37.100"),
                    null),
            attempt(
                    "failed-with-an-answer",
                    1,
                    Outcome.FAILED,
                    500,
                    "the receiver answered 500",
                    Map.of("headers", 38L),
                    at("08:15:37.100"),
                    "{\"error\":\"no table \u201Ereports\u201C\"}"),
            new MessageSample<>(
                    Topics.WEBHOOK_ATTEMPTS,
                    "failed-and-held",
                    new WebhookAttempt(
                            EVENT,
                            ACCOUNT,
                            ENDPOINT,
                            URL,
                            REPORT,
                            2,
                            1,
                            Outcome.FAILED,
                            429,
                            "The receiver answered 429.",
                            null,
                            at("08:15:31.900"),
                            38,
                            Map.of("headers", 38L),
                            at("08:25:31.900"),
                            null,
                            WebhookEndpoint.id(ENDPOINT),
                            at("08:25:31.900"),
                            EndpointState.HeldReason.RETRY_AFTER)),
            attempt(
                    "failed-without-answer",
                    2,
                    Outcome.FAILED,
                    null,
                    "no connection within 5 s",
                    UNANSWERED,
                    at("08:16:07.000"),
                    null),
            attempt("given_up", 10, Outcome.GIVEN_UP, null, "no connection within 5 s", UNANSWERED, null, null),
            attempt("gone", 1, Outcome.GONE, 410, "the receiver answered 410", Map.of("headers", 38L), null, null),
            deadLetter("given_up", null),
            deadLetter("with-the-id-of-the-endpoint", WebhookEndpoint.id(ENDPOINT)));

    private DeliverySamples() {}

    private static MessageSample<?> held(
            String name,
            EndpointState.@Nullable HeldReason reason,
            @Nullable Instant until,
            EndpointState.HeldReason ofUrl) {
        return new MessageSample<>(
                Topics.ENDPOINT_STATE,
                name,
                new EndpointState(
                        ACCOUNT,
                        ENDPOINT,
                        EndpointState.Breaker.CLOSED,
                        0,
                        null,
                        null,
                        1,
                        at("08:15:31.870"),
                        null,
                        new EndpointState.Failure(at("08:15:31.900"), 429, "The receiver answered 429."),
                        0,
                        List.of(),
                        at("08:15:31.900"),
                        new EndpointState.Held(
                                reason, until, 1, List.of(new EndpointState.HeldUrl(URL, at("08:25:31.900"), ofUrl)))));
    }

    private static MessageSample<?> failing(String name, EndpointState.Breaker breaker, EndpointState.Failure error) {
        return new MessageSample<>(
                Topics.ENDPOINT_STATE,
                name,
                new EndpointState(
                        ACCOUNT,
                        ENDPOINT,
                        breaker,
                        12,
                        at("08:15:01.900"),
                        at("08:16:31.900"),
                        42,
                        at("08:14:31.900"),
                        null,
                        error,
                        1,
                        List.of(new EndpointState.StoppedUrl(URL, at("08:15:31.900"))),
                        at("08:15:32.000"),
                        null));
    }

    private static MessageSample<?> attempt(
            String name,
            int number,
            Outcome outcome,
            @Nullable Integer httpStatus,
            @Nullable String error,
            Map<String, Long> phases,
            @Nullable Instant next,
            @Nullable String excerpt) {
        return new MessageSample<>(
                Topics.WEBHOOK_ATTEMPTS,
                name,
                attempt(number, outcome, httpStatus, error, phases, next, excerpt, null));
    }

    private static WebhookAttempt attempt(
            int number,
            Outcome outcome,
            @Nullable Integer httpStatus,
            @Nullable String error,
            Map<String, Long> phases,
            @Nullable Instant next,
            @Nullable String excerpt,
            @Nullable String endpointId) {
        long duration = phases.values().stream().mapToLong(Long::longValue).sum();
        return new WebhookAttempt(
                EVENT,
                ACCOUNT,
                ENDPOINT,
                URL,
                REPORT,
                2,
                number,
                outcome,
                httpStatus,
                error,
                httpStatus == null ? "connect" : null,
                at("08:15:31.900"),
                duration,
                phases,
                next,
                excerpt,
                endpointId,
                null,
                null);
    }

    private static MessageSample<?> deadLetter(String name, @Nullable String endpointId) {
        return new MessageSample<>(
                Topics.WEBHOOK_DEAD_LETTERS,
                name,
                new WebhookDeadLetter(
                        EVENT,
                        ACCOUNT,
                        ENDPOINT,
                        URL,
                        REPORT,
                        2,
                        10,
                        "no connection within 5 s",
                        at("08:15:31.870"),
                        Instant.parse("2026-11-03T12:15:31.870Z"),
                        BODY,
                        endpointId));
    }
}
