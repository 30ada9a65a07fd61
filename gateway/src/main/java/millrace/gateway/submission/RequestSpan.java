package millrace.gateway.submission;

import io.micronaut.http.HttpRequest;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import java.util.List;
import java.util.Locale;
import millrace.catalog.dataset.Dataset;
import millrace.gateway.admission.Caller;
import millrace.gateway.commands.SubmissionOutcome;
import millrace.gateway.commands.Traceparent;
import millrace.gateway.http.RequestId;
import millrace.runtime.telemetry.Spans;
import org.jspecify.annotations.Nullable;

/**
 * The span of a valid request until its acknowledgement. The report belongs to its trace, whether
 * or not spans are exported.
 *
 * @param traceparent W3C trace context that the report carries
 */
record RequestSpan(Span span, String traceparent) {
    private static final Spans SPANS = Spans.of("gateway");

    static RequestSpan begin(HttpRequest<?> request) {
        List<String> sent = request.getHeaders().getAll("traceparent");
        String given = sent.size() == 1 ? Traceparent.valid(sent.getFirst()) : null;
        Span span = SPANS.begin("report.request", SpanKind.SERVER, given)
                .setAttribute(Spans.REQUEST, RequestId.of(request));
        return new RequestSpan(span, Spans.traceparent(span, given == null ? Traceparent.fresh() : given));
    }

    /** @param submitted null where the submission threw */
    void end(Caller caller, Dataset dataset, @Nullable SubmissionOutcome submitted) {
        if (!span.isRecording()) {
            return;
        }
        span.setAttribute(Spans.ACCOUNT, caller.accountId());
        span.setAttribute("millrace.dataset", dataset.name());
        if (submitted == null || submitted instanceof SubmissionOutcome.Unacknowledged) {
            span.setStatus(StatusCode.ERROR);
        }
        if (submitted != null) {
            span.setAttribute(
                    Spans.OUTCOME, submitted.getClass().getSimpleName().toLowerCase(Locale.ROOT));
        }
        if (submitted instanceof SubmissionOutcome.Accepted accepted) {
            span.setAttribute(Spans.REPORT, accepted.reportId().toString());
        }
        span.end();
    }
}
