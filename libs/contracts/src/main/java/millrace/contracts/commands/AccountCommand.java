package millrace.contracts.commands;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import millrace.contracts.accounts.Quote;
import millrace.contracts.accounts.VersionPrice;
import millrace.contracts.reports.ErrorCode;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.reports.Status;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.requests.QueryHash;
import millrace.contracts.requests.ReportRequest;
import org.jspecify.annotations.Nullable;

/**
 * A command of an account: the only input of the ledger, which decides an account's commands in the
 * order of their partition. The record's key is the account id. Commands about an unknown report,
 * or about an attempt other than the current open one, change nothing.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
    @JsonSubTypes.Type(value = AccountCommand.GrantCredits.class, name = "grant_credits"),
    @JsonSubTypes.Type(value = AccountCommand.ExpireCredits.class, name = "expire_credits"),
    @JsonSubTypes.Type(value = AccountCommand.RequestReport.class, name = "request_report"),
    @JsonSubTypes.Type(value = AccountCommand.RetryReport.class, name = "retry_report"),
    @JsonSubTypes.Type(value = AccountCommand.CancelReport.class, name = "cancel_report"),
    @JsonSubTypes.Type(value = AccountCommand.EraseReport.class, name = "erase_report"),
    @JsonSubTypes.Type(value = AccountCommand.SliceRunning.class, name = "slice_running"),
    @JsonSubTypes.Type(value = AccountCommand.SliceDone.class, name = "slice_done"),
    @JsonSubTypes.Type(value = AccountCommand.SliceFailed.class, name = "slice_failed"),
    @JsonSubTypes.Type(value = AccountCommand.Assembled.class, name = "assembled"),
})
public sealed interface AccountCommand {

    /**
     * Adds credits, once for each {@code grantId} however often it arrives. {@code amount} is at
     * least 1.
     */
    record GrantCredits(String grantId, long amount, String reason) implements AccountCommand {}

    /**
     * Takes credits away, at most those that remain, once for each {@code expiryId}, which must not
     * be a grant's id. {@code amount} is at least 1.
     */
    record ExpireCredits(String expiryId, long amount, String reason) implements AccountCommand {}

    /**
     * Reserves what the report may cost and starts it. A second one with the same id changes nothing.
     *
     * @param quote counts all entities, whether they are in the data or not
     * @param idempotency hashes of the client's Idempotency-Key and of the request, or null without
     *     a key
     * @param traceparent W3C trace context of the request
     * @param warnings sentences for the report's status; null where there are none
     * @param historyDays how long the report is known after its end; null where its account has no
     *     time of its own
     * @param versionPrice what counts instead of the quote if the report reads this version; null if nothing is cheaper
     *     in any, and no price was promised
     * @param querySha256 of {@link QueryHash}; null in commands of earlier builds
     */
    record RequestReport(
            UUID reportId,
            ReportRequest request,
            Quote quote,
            @Nullable Idempotency idempotency,
            Instant submittedAt,
            String traceparent,
            @Nullable List<String> warnings,
            @Nullable Integer historyDays,
            @Nullable VersionPrice versionPrice,
            @Nullable String querySha256)
            implements AccountCommand {

        public RequestReport {
            warnings = warnings == null ? null : List.copyOf(warnings);
        }

        /** A request without warnings, of an account that has the history of all, that costs the same in every version. */
        public RequestReport(
                UUID reportId,
                ReportRequest request,
                Quote quote,
                @Nullable Idempotency idempotency,
                Instant submittedAt,
                String traceparent) {
            this(reportId, request, quote, idempotency, submittedAt, traceparent, null, null, null, null);
        }

        /** The version that the report reads as long as the warehouse has it, or null for the current one. */
        public @Nullable String pinnedVersion() {
            return versionPrice != null && Boolean.TRUE.equals(versionPrice.pinned())
                    ? versionPrice.dataVersion()
                    : null;
        }

        /** What the report may cost at most where it reads this version of the data. */
        public Quote quote(String dataVersion) {
            return versionPrice != null && versionPrice.dataVersion().equals(dataVersion) ? expectedQuote() : quote;
        }

        /** The same before the ledger has decided which version it reads. */
        public Quote expectedQuote() {
            return versionPrice == null ? quote : quote.withCredits(versionPrice.credits());
        }

        /** The report's status before the ledger has decided. */
        public ReportStatus undecidedStatus(String accountId) {
            return new ReportStatus(
                    accountId,
                    reportId,
                    request.query().dataset(),
                    Status.PROCESSING,
                    request.dialect(),
                    1,
                    0,
                    submittedAt,
                    submittedAt,
                    expectedQuote().credits(),
                    ReportStatus.Progress.QUEUED,
                    null,
                    null,
                    new ReportStatus.Receipt(0, 0, 0, quote.rule().words(), List.of()),
                    warnings,
                    request.reportName(),
                    request.tags(),
                    null,
                    null,
                    querySha256,
                    null);
        }
    }

    /** Both are lower-case hex SHA-256. */
    record Idempotency(String keyHash, String requestHash) {}

    /**
     * Starts a failed report again.
     *
     * @param attempt the attempt that this creates, 2 to 4
     */
    record RetryReport(UUID reportId, int attempt) implements AccountCommand {}

    record CancelReport(UUID reportId) implements AccountCommand {}

    /** Deletes what is kept of a report that has ended. One that is processing stays. */
    record EraseReport(UUID reportId) implements AccountCommand {}

    /**
     * Renews the lease of a running slice.
     *
     * @param rows rows written so far
     */
    record SliceRunning(SliceRef slice, long rows) implements AccountCommand {}

    /**
     * A slice is rendered.
     *
     * @param skippedRows rows that were left out before the first that was written; null for none
     */
    record SliceDone(
            SliceRef slice,
            StoredFile file,
            ResultCounts counts,
            @Nullable Long skippedRows) implements AccountCommand {
        /** A slice that left out no rows. */
        public SliceDone(SliceRef slice, StoredFile file, ResultCounts counts) {
            this(slice, file, counts, null);
        }
    }

    /**
     * A slice or an assembly failed.
     *
     * @param code {@code dataset_unavailable} or {@code render_failed}
     * @param message for people, without secrets
     * @param hopeless true where another try would fail too and do harm: the report ends at once
     *     and cannot be retried
     * @param cause for operators: what was thrown; null where nothing was
     */
    record SliceFailed(
            SliceRef slice,
            ErrorCode code,
            String message,
            @Nullable Boolean hopeless,
            @Nullable String cause) implements AccountCommand {
        /** A failure that may be tried again, and was not thrown. */
        public SliceFailed(SliceRef slice, ErrorCode code, String message) {
            this(slice, code, message, null);
        }

        /** A failure that was not thrown. */
        public SliceFailed(SliceRef slice, ErrorCode code, String message, @Nullable Boolean hopeless) {
            this(slice, code, message, hopeless, null);
        }
    }

    /** Slices have been put together to one file, or the manifest of a report in parts is written. */
    record Assembled(SliceRef slice, StoredFile file) implements AccountCommand {}
}
