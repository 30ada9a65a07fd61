package millrace.processor.importing.check;

import org.jspecify.annotations.Nullable;

/** Reads the cells of one column. Pure; the text is as the file has it, empty for an absent cell. */
@FunctionalInterface
public interface CellCheck {
    ParsedCell read(String text);

    /** The same, but an empty cell is absent, which is fine. */
    static CellCheck optional(CellCheck check) {
        return text -> text.isEmpty() ? ParsedCell.ABSENT : check.read(text);
    }

    /** The same, but an empty cell is a problem. */
    static CellCheck required(CellCheck check) {
        return text -> text.isEmpty() ? new ParsedCell.Wrong("is empty") : check.read(text);
    }

    /** The same, but an empty cell means this. */
    static CellCheck orElse(Object value, CellCheck check) {
        var byDefault = new ParsedCell.Value(value);
        return text -> text.isEmpty() ? byDefault : check.read(text);
    }

    /** Remembers the last text: in sorted files most key cells repeat the one above. For one reader at a time. */
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
