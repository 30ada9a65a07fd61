package millrace.processor.rendering.tasks;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import java.nio.charset.StandardCharsets;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.SliceRef;
import millrace.contracts.topics.CloudEvent;
import millrace.runtime.telemetry.Spans;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.jspecify.annotations.Nullable;

/** The trace span of a slice, from its start to its answer, in the trace of the task's header. */
final class SliceSpan {
    private static final Spans SPANS = Spans.of("processor");

    private SliceSpan() {}

    /** The trace context in the headers of a task's record; null where there is none. */
    static @Nullable String traceparent(Headers task) {
        Header header = task.lastHeader(CloudEvent.TRACEPARENT);
        return header == null ? null : new String(header.value(), StandardCharsets.US_ASCII);
    }

    static Span begin(QueuedTask queued) {
        Span span = SPANS.begin("slice.render", SpanKind.CONSUMER, queued.traceparent());
        if (span.isRecording()) {
            SliceRef slice = queued.task().slice();
            span.setAttribute(Spans.REPORT, slice.reportId().toString());
            span.setAttribute(Spans.ACCOUNT, queued.task().accountId());
            span.setAttribute("millrace.attempt", slice.attempt());
            span.setAttribute("millrace.slice", slice.slice());
            span.setAttribute("millrace.dispatch", slice.dispatch());
        }
        return span;
    }

    static void end(Span span, AccountCommand answer) {
        if (!span.isRecording()) {
            return;
        }
        if (answer instanceof AccountCommand.SliceFailed failed) {
            span.setAttribute(Spans.OUTCOME, "failed");
            span.setStatus(StatusCode.ERROR, failed.message());
        } else {
            span.setAttribute(Spans.OUTCOME, "done");
        }
        span.end();
    }
}
