package millrace.catalog.dataset;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What a column of the warehouse and of a file holds. Key columns are never {@code DOUBLE}, metrics never {@code DATE}. */
public enum ColumnType {
    @JsonProperty("text")
    TEXT,
    /** The first day of a period. */
    @JsonProperty("date")
    DATE,
    @JsonProperty("integer")
    INTEGER,
    @JsonProperty("double")
    DOUBLE
}
