package millrace.contracts.reports;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/** The reason why a report ended in {@link Status#INTERNAL_ERROR}. */
public enum ErrorCode {
    /** Other reports reserved the credits between acceptance and the ledger's decision. */
    @JsonProperty("insufficient_credits")
    INSUFFICIENT_CREDITS(
            "Retry it when there are credits again: when open reports have ended, or the operator has granted some.",
            "Send the request again when there are credits."),
    /** The warehouse could not be read. */
    @JsonProperty("dataset_unavailable")
    DATASET_UNAVAILABLE(Advice.RETRY, Advice.TELL),
    /** Rendering failed, or lost its worker, too often. */
    @JsonProperty("render_failed")
    RENDER_FAILED(Advice.RETRY, Advice.TELL),
    /** The client cancelled it. */
    @JsonProperty("cancelled")
    CANCELLED("Retry it if you want it after all.", "Send the request again if you want it after all."),
    /** Another request took the same Idempotency-Key first. */
    @JsonProperty("idempotency_conflict")
    IDEMPOTENCY_CONFLICT(null, "Send the request again with an Idempotency-Key that no other request has.");

    private final @Nullable String adviceToRetry;
    private final String adviceAtTheEnd;

    /** @param adviceToRetry null where no retry can succeed */
    ErrorCode(@Nullable String adviceToRetry, String adviceAtTheEnd) {
        this.adviceToRetry = adviceToRetry;
        this.adviceAtTheEnd = adviceAtTheEnd;
    }

    /**
     * Whether a retry can succeed as far as the cause is concerned. The number of attempts is
     * limited separately.
     */
    public boolean retryable() {
        return adviceToRetry != null;
    }

    /**
     * What the client can do, as sentences.
     *
     * @param retry whether the report may be retried
     */
    String advice(boolean retry) {
        return retry && adviceToRetry != null ? adviceToRetry : adviceAtTheEnd;
    }

    private static final class Advice {
        static final String RETRY =
                "Retry it in some minutes. If it fails again, give the id of the report to the operator of the service.";
        static final String TELL = "It cannot be retried. Give the id of the report to the operator of the service.";
    }
}
