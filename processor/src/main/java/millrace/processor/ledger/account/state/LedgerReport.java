package millrace.processor.ledger.account.state;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import millrace.contracts.accounts.Quote;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.reports.ReportPhase;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.ReportStatus.Receipt;
import millrace.contracts.reports.Status;
import org.jspecify.annotations.Nullable;

/**
 * A report as the ledger knows it.
 *
 * @param status as it is published
 * @param quote what each attempt reserves, and the rule that it is settled by
 * @param webhookUrl where its status changes are sent, or null
 * @param traceparent of the request
 * @param work while an attempt is open, else null
 */
public record LedgerReport(
        ReportStatus status,
        Quote quote,
        @Nullable String webhookUrl,
        String traceparent,
        @Nullable OpenAttempt work) {

    static LedgerReport accepted(String accountId, AccountCommand.RequestReport request, Instant now) {
        var status = new ReportStatus(
                accountId,
                request.reportId(),
                request.request().query().dataset(),
                Status.PROCESSING,
                request.request().dialect(),
                1,
                0,
                request.submittedAt(),
                now,
                request.quote().credits(),
                null,
                null,
                null,
                new Receipt(0, 0, 0, request.quote().rule().words(), List.of()));
        return new LedgerReport(status, request.quote(), request.request().webhookUrl(), request.traceparent(), null);
    }

    public UUID id() {
        return status.reportId();
    }

    public int attempt() {
        return status.attempt();
    }

    /** Whether it holds a reservation. */
    public boolean open() {
        return work != null;
    }

    /** The work of an open report. */
    public OpenAttempt openWork() {
        if (work == null) {
            throw new IllegalStateException("report " + id() + " is not open");
        }
        return work;
    }

    LedgerReport entered(Fact.Entered entry) {
        Receipt r = status.receipt();
        long amount = entry.amount();
        Receipt receipt =
                switch (entry.kind()) {
                    case RESERVATION -> receipt(entry, Math.addExact(r.reserved(), amount), r.charged(), r.released());
                    case SETTLEMENT -> receipt(entry, r.reserved(), Math.addExact(r.charged(), amount), r.released());
                    case RELEASE -> receipt(entry, r.reserved(), r.charged(), Math.addExact(r.released(), amount));
                    case OPENING, GRANT, EXPIRY ->
                        throw new IllegalStateException("a " + entry.kind() + " is not for a report");
                };
        return new LedgerReport(
                new StatusChange(status).receipt(receipt).status(), quote, webhookUrl, traceparent, work);
    }

    LedgerReport started(Fact.Started start, Instant now) {
        ReportStatus started = new StatusChange(status)
                .attempt(start.attempt())
                .next(Status.PROCESSING, now)
                .progress(new ReportStatus.Progress(ReportPhase.QUEUED, 0))
                .status();
        return published(started, OpenAttempt.planned(start));
    }

    LedgerReport progressed(Fact.Progressed fact, Instant now) {
        return published(
                new StatusChange(status).progress(fact.progress()).at(now).status(), work);
    }

    LedgerReport completed(Fact.Completed fact, Instant now) {
        return published(
                new StatusChange(status)
                        .next(Status.COMPLETE, now)
                        .result(fact.result())
                        .status(),
                null);
    }

    LedgerReport failed(Fact.Failed fact, Instant now) {
        ReportStatus failed = new StatusChange(status)
                .attempt(fact.attempt())
                .next(Status.INTERNAL_ERROR, now)
                .error(fact.failure())
                .status();
        return published(failed, null);
    }

    LedgerReport working(UnaryOperator<OpenAttempt> change) {
        return new LedgerReport(status, quote, webhookUrl, traceparent, change.apply(openWork()));
    }

    private LedgerReport published(ReportStatus next, @Nullable OpenAttempt nextWork) {
        return new LedgerReport(next, quote, webhookUrl, traceparent, nextWork);
    }

    private Receipt receipt(Fact.Entered entry, long reserved, long charged, long released) {
        Receipt r = status.receipt();
        List<String> ids =
                Stream.concat(r.entryIds().stream(), Stream.of(entry.entryId())).toList();
        return new Receipt(reserved, charged, released, r.priceRule(), ids);
    }
}
