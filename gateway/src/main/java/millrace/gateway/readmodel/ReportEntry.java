package millrace.gateway.readmodel;

import java.util.UUID;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.Status;
import org.jspecify.annotations.Nullable;

/**
 * One report in the read model. Immutable, and compact, because there are millions.
 *
 * @param live the newest status while the report is processing: the ledger's, or one made from a
 *     command that the ledger has not decided
 * @param compressed the newest status of a report that has ended, compressed; it and {@code live}
 *     are null while only the request is known
 * @param status that of {@code live} or {@code compressed}, as are {@code attempt} and {@code
 *     sequence}
 * @param retryAttempt the attempt that the newest retry command asks for, 0 without one
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; there are millions
record ReportEntry(
        HistoryCursor place,
        String accountId,
        String dataset,
        @Nullable ReportStatus live,
        byte @Nullable [] compressed,
        Status status,
        int attempt,
        int sequence,
        int retryAttempt,
        @Nullable RequestPosition request,
        @Nullable UUID key) {

    static ReportEntry unknown(UUID id, String accountId) {
        return new ReportEntry(
                new HistoryCursor(0, id), accountId, "", null, null, Status.PROCESSING, 0, 0, 0, null, null);
    }

    UUID id() {
        return place.reportId();
    }

    boolean known() {
        return live != null || compressed != null;
    }

    /** Whether the ledger has not decided the newest command of the report. */
    boolean unanswered() {
        return sequence == 0 || retryPending();
    }

    boolean open() {
        return known() && (status == Status.PROCESSING || retryPending());
    }

    /** The status that clients see. Throws where the report is not known. */
    ReportStatus current() {
        if (live != null) {
            return live;
        }
        if (compressed == null) {
            throw new IllegalStateException("report " + id() + " is not known yet");
        }
        ReportStatus last = StatusCompressor.decompress(compressed);
        return retryPending() ? last.undecidedRetry(retryAttempt) : last;
    }

    ReportEntry with(ReportStatus newest, StatusCompressor compressor, String datasetName) {
        boolean processing = newest.status() == Status.PROCESSING;
        return new ReportEntry(
                newest.submittedAt().toEpochMilli() == place.submittedAt()
                        ? place
                        : new HistoryCursor(newest.submittedAt().toEpochMilli(), id()),
                accountId,
                datasetName,
                processing ? newest : null,
                processing ? null : compressor.compress(newest),
                newest.status(),
                newest.attempt(),
                newest.sequence(),
                retryAttempt,
                request,
                key);
    }

    ReportEntry withRetry(int newAttempt) {
        return with(Math.max(retryAttempt, newAttempt), request, key);
    }

    ReportEntry withRequest(RequestPosition where, @Nullable UUID idempotencyKey) {
        boolean better = request == null || where.settled() || !request.settled();
        return with(retryAttempt, better ? where : request, idempotencyKey == null ? key : idempotencyKey);
    }

    private ReportEntry with(int newRetryAttempt, @Nullable RequestPosition newRequest, @Nullable UUID newKey) {
        return new ReportEntry(
                place,
                accountId,
                dataset,
                live,
                compressed,
                status,
                attempt,
                sequence,
                newRetryAttempt,
                newRequest,
                newKey);
    }

    private boolean retryPending() {
        return status == Status.INTERNAL_ERROR && retryAttempt > attempt;
    }
}
