package millrace.notifier.loop;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import millrace.runtime.telemetry.Spans;
import millrace.webhook.Exchange;

/**
 * The trace span of one attempt to deliver an event. Its context is sent to the receiver, whose spans become children
 * of it.
 */
final class AttemptSpan {
    private static final Spans SPANS = Spans.of("notifier");

    private AttemptSpan() {}

    static Span begin(Deliver delivery) {
        Span span = SPANS.begin("webhook.attempt", SpanKind.CLIENT, delivery.traceparent());
        if (span.isRecording()) {
            span.setAttribute(Spans.REPORT, delivery.reportId().toString());
            span.setAttribute(Spans.ACCOUNT, delivery.accountId());
            span.setAttribute("millrace.event_id", delivery.eventId());
        }
        return span;
    }

    static void end(Span span, Exchange exchange) {
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
