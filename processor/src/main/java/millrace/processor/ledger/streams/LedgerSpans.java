package millrace.processor.ledger.streams;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import java.time.Instant;
import java.util.List;
import millrace.contracts.reports.ReportStatus;
import millrace.processor.ledger.decide.Fact;
import millrace.processor.ledger.decide.LedgerReport;
import millrace.processor.ledger.decide.RecordedFact;
import millrace.runtime.telemetry.Spans;

/**
 * Adds spans to the trace of a report: from the request to its decision, and from the request to the end of the report.
 * A decision whose transaction is aborted and repeated has its spans twice, as it is counted twice.
 */
final class LedgerSpans {
    private static final Spans SPANS = Spans.of("processor");

    private LedgerSpans() {}

    /** Adds the spans that end with the facts of one decision. */
    static void recorded(List<RecordedFact> steps, Instant now) {
        if (!Spans.exported()) {
            return;
        }
        for (RecordedFact step : steps) {
            LedgerReport report = step.report();
            if (report == null) {
                continue;
            }
            if (step.fact() instanceof Fact.Accepted) {
                begin("ledger.accept", report).end(now);
            } else if (step.fact() instanceof Fact.Completed) {
                begin("report", report).setAttribute(Spans.OUTCOME, "complete").end(now);
            } else if (step.fact() instanceof Fact.Failed failed) {
                begin("report", report)
                        .setAttribute(Spans.OUTCOME, failed.failure().code().toString())
                        .setStatus(StatusCode.ERROR)
                        .end(now);
            }
        }
    }

    private static Span begin(String name, LedgerReport report) {
        ReportStatus status = report.status();
        return SPANS.begin(name, SpanKind.INTERNAL, report.traceparent(), status.submittedAt())
                .setAttribute(Spans.REPORT, status.reportId().toString())
                .setAttribute(Spans.ACCOUNT, status.accountId());
    }
}
