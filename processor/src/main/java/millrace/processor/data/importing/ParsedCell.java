package millrace.processor.data.importing;

import org.jspecify.annotations.Nullable;

/** The result of checking the text of a cell. */
sealed interface ParsedCell {
    ParsedCell ABSENT = new Value(null);

    /**
     * A valid cell.
     *
     * @param value String, Boolean, Long, Double or LocalDate; null where the cell is absent
     */
    record Value(@Nullable Object value) implements ParsedCell {}

    /**
     * A cell with a problem.
     *
     * @param problem a sentence without the column's name
     */
    record Wrong(String problem) implements ParsedCell {}
}
