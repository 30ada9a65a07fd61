package millrace.catalog.dataset;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.stream.Stream;
import millrace.catalog.text.Text;
import org.jspecify.annotations.Nullable;

/**
 * A request field that narrows a key column.
 *
 * @param field name of the request field
 * @param also other spellings of it
 * @param column the key column, also the key in {@code ReportQuery.filters}
 * @param values for {@code choice}: every value as files have it, compared in any case; else empty
 * @param total the value whose rows have the figures over all values. A request without the filter
 *     gets these rows, without the column. Null where such a request gets every value
 */
public record DatasetFilter(
        String field,
        @Nullable List<String> also,
        String column,
        Kind kind,
        @Nullable List<String> values,
        @Nullable String total) {

    public DatasetFilter {
        Text.identifier("field", field);
        Text.identifier("column", column);
        also = also == null ? List.of() : List.copyOf(also);
        also.forEach(spelling -> Text.identifier("also", spelling));
        values = values == null ? List.of() : List.copyOf(values);
        if (kind == Kind.CHOICE && values.isEmpty()) {
            throw new IllegalArgumentException("values: a filter of kind choice lists its values");
        }
        if (kind != Kind.CHOICE && !values.isEmpty()) {
            throw new IllegalArgumentException("values: only a filter of kind choice lists values");
        }
        if (values.stream().map(Text::lower).distinct().count() != values.size()) {
            throw new IllegalArgumentException("values: the same value twice");
        }
        if (total != null && kind == Kind.INTEGER && !total.matches("0|[1-9][0-9]{0,8}")) {
            throw new IllegalArgumentException("total: " + Text.quoted(total) + " is not an integer");
        }
    }

    @Override
    public List<String> also() {
        return also == null ? List.of() : also;
    }

    @Override
    public List<String> values() {
        return values == null ? List.of() : values;
    }

    /** The field and its other spellings. */
    public List<String> spellings() {
        return Stream.concat(Stream.of(field), also().stream()).toList();
    }

    /** Whether the catalog does not know the number of rows of a request without the filter. */
    boolean openWhenUnnamed() {
        return kind != Kind.CHOICE && total == null;
    }

    public enum Kind {
        /** One of declared values. */
        @JsonProperty("choice")
        CHOICE,
        /** An integer from 0 to 2,147,483,647. */
        @JsonProperty("integer")
        INTEGER,
        /** Any text, read like a keyword: trimmed, lower case. */
        @JsonProperty("keyword")
        KEYWORD
    }
}
