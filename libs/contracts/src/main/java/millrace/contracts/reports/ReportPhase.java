package millrace.contracts.reports;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The phase of a report in {@link Status#PROCESSING}. */
public enum ReportPhase {
    @JsonProperty("queued")
    QUEUED,
    @JsonProperty("rendering")
    RENDERING,
    @JsonProperty("assembling")
    ASSEMBLING
}
