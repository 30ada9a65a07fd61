package millrace.contracts.reports;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The three public states of a report. */
public enum Status {
    @JsonProperty("processing")
    PROCESSING,
    @JsonProperty("complete")
    COMPLETE,
    @JsonProperty("internal_error")
    INTERNAL_ERROR;

    /** The word of answers, webhooks and topics. */
    public String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
