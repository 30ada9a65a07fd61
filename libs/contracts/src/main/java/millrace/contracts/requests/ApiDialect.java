package millrace.contracts.requests;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The words that a report's status answers use; fixed when it is submitted. */
public enum ApiDialect {
    /** {@code processing}, {@code complete}, {@code internal_error}. */
    @JsonProperty("v3")
    V3,
    /**
     * {@code pending}, {@code processing}, {@code completed}, {@code retry}, {@code
     * internal_error}.
     */
    @JsonProperty("original")
    ORIGINAL
}
