package millrace.contracts.reports;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The finer word within {@link Status#PROCESSING}. */
public enum ReportPhase {
    @JsonProperty("queued")
    QUEUED,
    @JsonProperty("rendering")
    RENDERING,
    @JsonProperty("assembling")
    ASSEMBLING
}
