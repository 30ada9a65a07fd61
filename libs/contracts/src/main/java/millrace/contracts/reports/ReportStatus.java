package millrace.contracts.reports;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import millrace.contracts.requests.ApiDialect;
import org.jspecify.annotations.Nullable;

/**
 * The newest status of a report, topic {@code report-status}. Status answers and webhooks are made
 * from it.
 *
 * @param attempt 1 to {@link #MOST_ATTEMPTS}
 * @param sequence 1 for the first status change, then one more for each, across retries; 0 while
 *     only the command is known
 * @param progress set while {@code processing}, else null
 * @param result set when {@code complete}, else null
 * @param error set in {@code internal_error}, else null
 * @param warnings sentences about what the report asks for and the data do not have, and about how it differs from the
 *     request as it was sent; null if there are none
 * @param reportName the client's name for the report, or null
 * @param tags the client's words for the report, by name; null without any
 * @param dataVersion the version of the data that the attempt reads; null before it begins. This and the next three are
 *     null in records of earlier builds
 * @param dataPublishedAt when that version became current; null if the warehouse does not know
 * @param querySha256 of {@link millrace.contracts.requests.QueryHash}
 * @param renderForm {@link #RENDER_FORM} of the build that began the attempt. The same query over the same version gives
 *     the same bytes in the same form
 */
public record ReportStatus(
        String accountId,
        UUID reportId,
        String dataset,
        Status status,
        ApiDialect dialect,
        int attempt,
        int sequence,
        Instant submittedAt,
        Instant updatedAt,
        long estimatedCredits,
        @Nullable Progress progress,
        @Nullable Result result,
        @Nullable Failure error,
        Receipt receipt,
        @Nullable List<String> warnings,
        @Nullable String reportName,
        @Nullable Map<String, String> tags,
        @Nullable String dataVersion,
        @Nullable Instant dataPublishedAt,
        @Nullable String querySha256,
        @Nullable Integer renderForm) {

    /** The request and 3 retries. */
    public static final int MOST_ATTEMPTS = 4;

    /** To be counted up with any change that gives other bytes for the same query over the same version of the data. */
    public static final int RENDER_FORM = 1;

    public ReportStatus {
        warnings = warnings == null ? null : List.copyOf(warnings);
        tags = tags == null ? null : Collections.unmodifiableMap(new TreeMap<>(tags));
    }

    /** A status without warnings, name and tags, and without what its file is made from. */
    public ReportStatus(
            String accountId,
            UUID reportId,
            String dataset,
            Status status,
            ApiDialect dialect,
            int attempt,
            int sequence,
            Instant submittedAt,
            Instant updatedAt,
            long estimatedCredits,
            @Nullable Progress progress,
            @Nullable Result result,
            @Nullable Failure error,
            Receipt receipt) {
        this(
                accountId,
                reportId,
                dataset,
                status,
                dialect,
                attempt,
                sequence,
                submittedAt,
                updatedAt,
                estimatedCredits,
                progress,
                result,
                error,
                receipt,
                null,
                null,
                null,
                null,
                null,
                null,
                null);
    }

    /** @param fraction 0 to 1 */
    public record Progress(ReportPhase phase, double fraction) {
        public static final Progress QUEUED = new Progress(ReportPhase.QUEUED, 0);
    }

    /**
     * @param usedQuota credits charged
     * @param file of a report in parts the manifest
     * @param expiresAt when the file is deleted, and the parts with it
     * @param parts null for a report of one file
     */
    public record Result(
            ResultCounts counts,
            long usedQuota,
            StoredFile file,
            Instant expiresAt,
            @Nullable ReportParts parts) {
        /** Of a report of one file. */
        public Result(ResultCounts counts, long usedQuota, StoredFile file, Instant expiresAt) {
            this(counts, usedQuota, file, expiresAt, null);
        }
    }

    /**
     * @param message for the client
     * @param cause for the operator, and never in answers or webhooks: what was thrown; null where nothing was, and in
     *     records of earlier builds
     */
    public record Failure(
            ErrorCode code,
            String message,
            boolean retryable,
            @Nullable String cause) {
        /** A failure without a cause. */
        public Failure(ErrorCode code, String message, boolean retryable) {
            this(code, message, retryable, null);
        }

        /** What the client can do, as sentences. */
        @JsonProperty
        public String advice() {
            return code.advice(retryable);
        }

        /** As clients may see it. */
        public Failure withoutCause() {
            return new Failure(code, message, retryable);
        }
    }

    /** Sums over all attempts: {@code reserved = charged + released + what is still reserved}. */
    public record Receipt(long reserved, long charged, long released, String priceRule, List<String> entryIds) {}

    /** How it ended; null while it is processing. It follows from the rest, so that old records have it, too. */
    @JsonProperty
    public @Nullable Outcome outcome() {
        return Outcome.of(status, error);
    }

    /** The next status: an attempt begins. */
    public ReportStatus started(int newAttempt, Instant now) {
        return queued(newAttempt, sequence + 1, now);
    }

    /** The same status of an attempt that reads this version of the data. */
    public ReportStatus reading(String version, @Nullable Instant publishedAt) {
        return new ReportStatus(
                accountId,
                reportId,
                dataset,
                status,
                dialect,
                attempt,
                sequence,
                submittedAt,
                updatedAt,
                estimatedCredits,
                progress,
                result,
                error,
                receipt,
                warnings,
                reportName,
                tags,
                version,
                publishedAt,
                querySha256,
                RENDER_FORM);
    }

    /** Further progress of the attempt. It is no status change: the sequence stays. */
    public ReportStatus progressed(Progress newProgress, Instant now) {
        return changed(status, attempt, sequence, now, estimatedCredits, newProgress, null, null, receipt);
    }

    /** The next status: the attempt is complete. */
    public ReportStatus completed(Result newResult, Instant now) {
        return changed(Status.COMPLETE, attempt, sequence + 1, now, estimatedCredits, null, newResult, null, receipt);
    }

    /** The next status: an attempt failed, or could not begin. */
    public ReportStatus failed(int newAttempt, Failure failure, Instant now) {
        return changed(
                Status.INTERNAL_ERROR, newAttempt, sequence + 1, now, estimatedCredits, null, null, failure, receipt);
    }

    /** The same failure, which cannot be retried any more. */
    public ReportStatus withoutRetry() {
        Failure last = error == null ? null : new Failure(error.code(), error.message(), false, error.cause());
        return changed(status, attempt, sequence, updatedAt, estimatedCredits, progress, result, last, receipt);
    }

    /** The status between the command for a retry and the ledger's decision: the sequence stays. */
    public ReportStatus undecidedRetry(int newAttempt) {
        return queued(newAttempt, sequence, updatedAt);
    }

    public ReportStatus withEstimatedCredits(long credits) {
        return changed(status, attempt, sequence, updatedAt, credits, progress, result, error, receipt);
    }

    public ReportStatus withReceipt(Receipt newReceipt) {
        return changed(status, attempt, sequence, updatedAt, estimatedCredits, progress, result, error, newReceipt);
    }

    private ReportStatus queued(int newAttempt, int newSequence, Instant at) {
        Progress atFirst = Progress.QUEUED;
        return changed(Status.PROCESSING, newAttempt, newSequence, at, estimatedCredits, atFirst, null, null, receipt);
    }

    private ReportStatus changed(
            Status newStatus,
            int newAttempt,
            int newSequence,
            Instant now,
            long newCredits,
            @Nullable Progress newProgress,
            @Nullable Result newResult,
            @Nullable Failure newError,
            Receipt newReceipt) {
        boolean sameAttempt = newAttempt == attempt;
        return new ReportStatus(
                accountId,
                reportId,
                dataset,
                newStatus,
                dialect,
                newAttempt,
                newSequence,
                submittedAt,
                now,
                newCredits,
                newProgress,
                newResult,
                newError,
                newReceipt,
                warnings,
                reportName,
                tags,
                sameAttempt ? dataVersion : null,
                sameAttempt ? dataPublishedAt : null,
                querySha256,
                sameAttempt ? renderForm : null);
    }
}
