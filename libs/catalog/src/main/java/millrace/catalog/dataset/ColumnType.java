package millrace.catalog.dataset;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * The type of a column in the warehouse and in files. Key columns are never {@code DOUBLE}, metrics
 * never {@code DATE}.
 */
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
