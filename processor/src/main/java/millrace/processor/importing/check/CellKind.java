package millrace.processor.importing.check;

import java.util.List;
import millrace.catalog.dataset.EntityField;

/**
 * A kind of cell.
 *
 * @param words description of the accepted values
 */
record CellKind(String words, CellCheck check) {
    /** The unit of shares and rates. */
    static final String FRACTION = "fraction";

    static final CellKind TEXT = new CellKind("text", CellChecks::text);
    static final CellKind COUNTRY = new CellKind("two upper-case letters", CellChecks::country);
    static final CellKind DATE = new CellKind("first day of the period", CellChecks::date);
    static final CellKind BOOLEAN = new CellKind("true or false", CellChecks::bool);
    static final CellKind INTEGER = new CellKind("integer", CellChecks.integer(Long.MIN_VALUE, Long.MAX_VALUE));
    static final CellKind NATURAL = new CellKind("integer from 0", CellChecks.integer(0, Integer.MAX_VALUE));
    static final CellKind NUMBER = new CellKind("double", new NumberCheck(false));
    static final CellKind SHARE = new CellKind("double from 0 to 1", new NumberCheck(true));

    static CellKind choice(List<String> values) {
        return new CellKind(String.join(", ", values), CellChecks.choice(values));
    }

    static CellKind entity(EntityField.Kind kind) {
        String words =
                switch (kind) {
                    case DOMAIN -> "host name in lower case";
                    case KEYWORD -> "text in lower case";
                };
        return new CellKind(words, CellChecks.entity(kind));
    }
}
