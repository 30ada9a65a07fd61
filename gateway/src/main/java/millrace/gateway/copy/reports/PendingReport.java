package millrace.gateway.copy.reports;

import java.util.UUID;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.Status;
import org.jspecify.annotations.Nullable;

/**
 * What commands say of a report and the ledger has not written yet. It lies over what is stored.
 *
 * @param undecided the status that is made from the request; null where the ledger has written one, or the request has
 *     not been read
 * @param retryAttempt the attempt that the newest retry command asks for, 0 without one
 * @param request where the request is among the commands; null where the ledger has written it
 * @param key its Idempotency-Key; null as {@code request}, and without one
 */
record PendingReport(
        String accountId,
        UUID id,
        @Nullable ReportStatus undecided,
        int retryAttempt,
        @Nullable RequestPosition request,
        @Nullable UUID key) {

    static PendingReport none(String accountId, UUID id) {
        return new PendingReport(accountId, id, null, 0, null, null);
    }

    PendingReport requested(ReportStatus status, RequestPosition where, @Nullable UUID idempotencyKey) {
        return new PendingReport(
                accountId,
                id,
                undecided == null ? status : undecided,
                retryAttempt,
                where,
                idempotencyKey == null ? key : idempotencyKey);
    }

    PendingReport retried(int attempt) {
        return new PendingReport(accountId, id, undecided, Math.max(retryAttempt, attempt), request, key);
    }

    /**
     * What is left of it beside what the ledger has written.
     *
     * @param stored the report's status, or null
     * @param requestStored whether its request is known
     */
    PendingReport beside(@Nullable StoredReport stored, boolean requestStored) {
        return new PendingReport(
                accountId,
                id,
                stored == null ? undecided : null,
                mayRetry(stored) ? retryAttempt : 0,
                requestStored ? null : request,
                requestStored ? null : key);
    }

    /** The retry command may have been read before what it is about. */
    private boolean mayRetry(@Nullable StoredReport stored) {
        return stored == null || (stored.status() != Status.COMPLETE && retryAttempt > stored.attempt());
    }

    boolean isEmpty() {
        return undecided == null && retryAttempt == 0 && request == null && key == null;
    }

    boolean retries(@Nullable StoredReport stored) {
        return stored != null && stored.status() == Status.INTERNAL_ERROR && retryAttempt > stored.attempt();
    }

    /** Whether the ledger has not decided the newest command of the report. */
    boolean unanswered(@Nullable StoredReport stored) {
        return stored == null ? undecided != null : retries(stored);
    }

    /** Credits that the newest command may cost. */
    long credits(@Nullable StoredReport stored) {
        if (stored != null) {
            return stored.credits();
        }
        return undecided == null ? 0 : undecided.estimatedCredits();
    }
}
