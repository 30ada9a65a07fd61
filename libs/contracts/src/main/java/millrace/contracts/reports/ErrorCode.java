package millrace.contracts.reports;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The reason why a report ended in {@link Status#INTERNAL_ERROR}. */
public enum ErrorCode {
    /** Other reports reserved the credits between acceptance and the ledger's decision. */
    @JsonProperty("insufficient_credits")
    INSUFFICIENT_CREDITS(true),
    /** The warehouse could not be read. */
    @JsonProperty("dataset_unavailable")
    DATASET_UNAVAILABLE(true),
    /** Rendering failed, or lost its worker, too often. */
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

    /**
     * Whether a retry can succeed as far as the cause is concerned. The number of attempts is
     * limited separately.
     */
    public boolean retryable() {
        return retryable;
    }
}
