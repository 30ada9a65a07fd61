package millrace.gateway.api.reports;

import io.micronaut.http.HttpRequest;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import millrace.catalog.dataset.Dataset;
import millrace.gateway.access.Caller;
import millrace.gateway.admission.SubmissionOutcome;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.RequestId;
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
    private static final Pattern TRACEPARENT =
            Pattern.compile("00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}");

    /** The trace is the client's if it sent a valid one, else a new one. */
    static RequestSpan begin(HttpRequest<?> request) {
        List<String> sent = request.getHeaders().getAll("traceparent");
        String given = sent.size() == 1 && TRACEPARENT.matcher(sent.getFirst()).matches() ? sent.getFirst() : null;
        Span span = SPANS.begin("report.request", SpanKind.SERVER, given)
                .setAttribute(Spans.REQUEST, RequestId.of(request));
        return new RequestSpan(span, Spans.traceparent(span, given == null ? newTrace() : given));
    }

    /** A new trace, whose ids need not be hard to guess. */
    private static String newTrace() {
        HexFormat hex = HexFormat.of();
        var random = ThreadLocalRandom.current();
        String span = hex.toHexDigits(random.nextLong() | 1);
        return "00-" + hex.toHexDigits(random.nextLong()) + span + "-" + span + "-01";
    }

    /** @param submitted null where the submission threw */
    void end(Caller caller, Dataset dataset, @Nullable SubmissionOutcome submitted) {
        if (!span.isRecording()) {
            return;
        }
        span.setAttribute(Spans.ACCOUNT, caller.accountId());
        span.setAttribute("millrace.dataset", dataset.name());
        switch (submitted) {
            case null -> span.setStatus(StatusCode.ERROR);
            case SubmissionOutcome.Accepted accepted ->
                span.setAttribute(Spans.OUTCOME, "accepted")
                        .setAttribute(Spans.REPORT, accepted.reportId().toString());
            case SubmissionOutcome.Replayed _ -> span.setAttribute(Spans.OUTCOME, "replayed");
            case SubmissionOutcome.Refused refused -> {
                span.setAttribute(Spans.OUTCOME, refused.code().word());
                if (refused.code() == ProblemCode.OUTCOME_UNKNOWN) {
                    span.setStatus(StatusCode.ERROR);
                }
            }
        }
        span.end();
    }
}
