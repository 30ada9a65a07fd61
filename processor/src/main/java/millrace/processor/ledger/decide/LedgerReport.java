package millrace.processor.ledger.decide;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import millrace.contracts.accounts.Quote;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.ReportStatus.Receipt;
import millrace.contracts.reports.Status;
import millrace.contracts.topics.RequestRecord;
import org.jspecify.annotations.Nullable;

/**
 * A report as the ledger knows it.
 *
 * @param status as it is published
 * @param quote what the newest attempt reserves, and the rule that it is settled by
 * @param webhookUrl where its status changes are sent, or null
 * @param traceparent of the request
 * @param work while an attempt is open, else null
 * @param retentionDays how long the client wants to be able to download the file, or null
 * @param historyDays how long its account wants it to be known after its end, or null
 * @param requestRecord where its request was published; null where an earlier build has accepted it
 */
public record LedgerReport(
        ReportStatus status,
        Quote quote,
        @Nullable String webhookUrl,
        String traceparent,
        @Nullable OpenAttempt work,
        @Nullable Integer retentionDays,
        @Nullable Integer historyDays,
        @Nullable RequestRecord requestRecord) {

    static LedgerReport accepted(String accountId, AccountCommand.RequestReport request, Instant now) {
        return new LedgerReport(
                request.undecidedStatus(accountId),
                request.expectedQuote(),
                request.request().webhookUrl(),
                request.traceparent(),
                null,
                request.request().retentionDays(),
                request.historyDays(),
                RequestRecord.of(request.idempotency(), now));
    }

    public UUID id() {
        return status.reportId();
    }

    public int attempt() {
        return status.attempt();
    }

    /**
     * Until when a report that has ended is known: as long as its account wants it, and as long as
     * its file can be downloaded.
     *
     * @param usual where the account does not say
     */
    public Instant knownUntil(Duration usual) {
        Instant end = status.updatedAt().plus(historyDays == null ? usual : Duration.ofDays(historyDays));
        ReportStatus.Result result = status.result();
        return historyDays != null && result != null && result.expiresAt().isAfter(end) ? result.expiresAt() : end;
    }

    /** Whether it has ended and cannot be retried, so that it does not change any more. */
    public boolean over() {
        ReportStatus.Failure error = status.error();
        return !open() && status.status() != Status.PROCESSING && (error == null || !error.retryable());
    }

    /** Whether it holds a reservation. */
    public boolean open() {
        return work != null;
    }

    /** The work of an open report. */
    OpenAttempt openWork() {
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
        return with(status.withReceipt(receipt), work);
    }

    LedgerReport quoted(Quote next) {
        return with(status.withEstimatedCredits(next.credits()), next, work);
    }

    LedgerReport started(Fact.Started start, Instant now) {
        ReportStatus next = status.started(start.attempt(), now).reading(start.dataVersion(), start.publishedAt());
        return with(next, OpenAttempt.planned(start));
    }

    LedgerReport progressed(Fact.Progressed fact, Instant now) {
        return with(status.progressed(fact.progress(), now), work);
    }

    LedgerReport completed(Fact.Completed fact, Instant now) {
        return with(status.completed(fact.result(), now), null);
    }

    LedgerReport failed(Fact.Failed fact, Instant now) {
        return with(status.failed(fact.attempt(), fact.failure(), now), null);
    }

    /** It is over: nothing is kept of it but that it was there. */
    LedgerReport erased() {
        return with(status.withoutRetry(), null);
    }

    LedgerReport working(UnaryOperator<OpenAttempt> change) {
        return with(status, change.apply(openWork()));
    }

    private LedgerReport with(ReportStatus next, @Nullable OpenAttempt nextWork) {
        return with(next, quote, nextWork);
    }

    private LedgerReport with(ReportStatus next, Quote nextQuote, @Nullable OpenAttempt nextWork) {
        return new LedgerReport(
                next, nextQuote, webhookUrl, traceparent, nextWork, retentionDays, historyDays, requestRecord);
    }

    private Receipt receipt(Fact.Entered entry, long reserved, long charged, long released) {
        Receipt r = status.receipt();
        List<String> ids =
                Stream.concat(r.entryIds().stream(), Stream.of(entry.entryId())).toList();
        return new Receipt(reserved, charged, released, r.priceRule(), ids);
    }
}
