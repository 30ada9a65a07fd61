package millrace.contracts.reports;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The public status of a report. */
public enum Status {
    @JsonProperty("processing")
    PROCESSING,
    @JsonProperty("complete")
    COMPLETE,
    @JsonProperty("internal_error")
    INTERNAL_ERROR;

    /** The word in answers, webhooks and topics. */
    public String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
