package millrace.processor.data.importing;

import millrace.catalog.dataset.ValueRange;
import millrace.catalog.text.Text;

import org.jspecify.annotations.Nullable;

/** Checks and parses the cells of one column. Pure. The text is that of the file, empty for an absent cell. */
@FunctionalInterface
interface CellCheck {
    /** The result of checking the text of a cell. */
    sealed interface ParsedCell {
        ParsedCell ABSENT = new Value(null);

        /**
         * A valid cell.
         *
         * @param value String, Boolean, Long, Double or LocalDate; null if the cell is absent
         */
        record Value(@Nullable Object value) implements ParsedCell {}

        /**
         * A cell with a problem.
         *
         * @param problem a sentence without the column's name
         */
        record Wrong(String problem) implements ParsedCell {}
    }

    ParsedCell read(String text);

    /** A check that accepts an empty cell as absent. */
    static CellCheck optional(CellCheck check) {
        return text -> text.isEmpty() ? ParsedCell.ABSENT : check.read(text);
    }

    /** A check that rejects an empty cell. */
    static CellCheck required(CellCheck check) {
        return text -> text.isEmpty() ? new ParsedCell.Wrong("is empty") : check.read(text);
    }

    /** A check that rejects figures out of a range. */
    static CellCheck within(ValueRange range, String accepted, CellCheck check) {
        return text -> {
            ParsedCell cell = check.read(text);
            return cell instanceof ParsedCell.Value(Number value) && !range.contains(value.doubleValue())
                    ? new ParsedCell.Wrong(Text.quoted(text) + " is out of range; accepted: " + accepted)
                    : cell;
        };
    }

    /** A check that reads an empty cell as this value. */
    static CellCheck orElse(Object value, CellCheck check) {
        var byDefault = new ParsedCell.Value(value);
        return text -> text.isEmpty() ? byDefault : check.read(text);
    }

    /**
     * A check that caches the last text, since most key cells of sorted files repeat the one above. Not thread-safe.
     */
    static CellCheck remembering(CellCheck check) {
        return new CellCheck() {
            private @Nullable String text;
            private ParsedCell cell = ParsedCell.ABSENT;

            @Override
            public ParsedCell read(String next) {
                if (!next.equals(text)) {
                    cell = check.read(next);
                    text = next;
                }
                return cell;
            }
        };
    }
}
