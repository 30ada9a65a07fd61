package millrace.contracts.reports;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Why a report ended in {@link Status#INTERNAL_ERROR}. */
public enum ErrorCode {
    /** The balance went to other reports between acceptance and the ledger. */
    @JsonProperty("insufficient_credits")
    INSUFFICIENT_CREDITS(true),
    /** The warehouse could not be read. */
    @JsonProperty("dataset_unavailable")
    DATASET_UNAVAILABLE(true),
    /** Rendering failed, or its worker was lost, too often. */
    @JsonProperty("render_failed")
    RENDER_FAILED(true),
    /** The client cancelled it. */
    @JsonProperty("cancelled")
    CANCELLED(true),
    /** Another request took the same Idempotency-Key first. */
    @JsonProperty("idempotency_conflict")
    IDEMPOTENCY_CONFLICT(false);

    private final boolean retryable;

    ErrorCode(boolean retryable) {
        this.retryable = retryable;
    }

    /** Whether a retry of the report can succeed, as far as the cause goes; the count of attempts is another matter. */
    public boolean retryable() {
        return retryable;
    }
}
