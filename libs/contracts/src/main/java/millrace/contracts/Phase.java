package millrace.contracts;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The finer word within {@link Status#PROCESSING}. */
public enum Phase {
    @JsonProperty("queued")
    QUEUED,
    @JsonProperty("rendering")
    RENDERING,
    @JsonProperty("assembling")
    ASSEMBLING
}
