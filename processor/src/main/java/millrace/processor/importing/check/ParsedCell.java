package millrace.processor.importing.check;

import org.jspecify.annotations.Nullable;

/** What the text of a cell turned out to be. */
public sealed interface ParsedCell {
    ParsedCell ABSENT = new Value(null);

    /** @param value String, Boolean, Long, Double or LocalDate; null where the cell is absent */
    record Value(@Nullable Object value) implements ParsedCell {}

    /** @param problem a sentence without the column's name */
    record Wrong(String problem) implements ParsedCell {}
}
