package millrace.processor.loading;

import org.jspecify.annotations.Nullable;

/** What the text of a cell turned out to be. */
sealed interface Cell {
    Cell ABSENT = new Value(null);

    /** @param value String, Boolean, Long, Double or LocalDate; null where the cell is absent */
    record Value(@Nullable Object value) implements Cell {}

    /** @param problem a sentence without the column's name */
    record Wrong(String problem) implements Cell {}
}
