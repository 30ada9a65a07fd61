package millrace.processor.data.importing;

import millrace.catalog.dataset.DatasetMetric;
import millrace.catalog.dataset.EntityField;
import millrace.catalog.dataset.ValueRange;

import java.util.List;

/**
 * A kind of cell.
 *
 * @param words description of the accepted values
 */
record CellKind(String words, CellCheck check) {
    static final CellKind TEXT = new CellKind("text", CellChecks::text);
    static final CellKind COUNTRY = new CellKind("two upper-case letters", CellChecks::country);
    static final CellKind DATE = new CellKind("first day of the period", CellChecks::date);
    static final CellKind BOOLEAN = new CellKind("true or false", CellChecks::bool);
    static final CellKind INTEGER = new CellKind("integer", CellChecks.integer(Long.MIN_VALUE, Long.MAX_VALUE));
    static final CellKind NATURAL = new CellKind("integer from 0", CellChecks.integer(0, Integer.MAX_VALUE));
    static final CellKind NUMBER = new CellKind("double", CellChecks::number);

    /** A metric's figures in the range that it has. */
    static CellKind within(ValueRange range, String unit, CellKind figures) {
        // A percentage where a fraction is meant, or the other way round, is the mistake that nobody would see.
        String accepted =
                switch (unit) {
                    case DatasetMetric.FRACTION -> "a fraction " + range.words() + ", so 0.25 for 25 %";
                    case DatasetMetric.PERCENT -> "a percentage " + range.words() + ", so 25 for 25 %";
                    default -> range.words();
                };
        return new CellKind(figures.words + " " + range.words(), CellCheck.within(range, accepted, figures.check));
    }

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
