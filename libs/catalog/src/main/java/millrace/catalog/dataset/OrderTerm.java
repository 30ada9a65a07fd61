package millrace.catalog.dataset;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import millrace.catalog.text.Text;

/**
 * One term of the order of rows, written {@code column} or {@code column desc}. Absent values come
 * last in either direction. Text is compared by its UTF-8 bytes.
 *
 * @param column a key column, or a metric, which orders the rows even where the request does not
 *     name it
 */
public record OrderTerm(String column, boolean descending) {

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static OrderTerm parse(String text) {
        boolean descending = text.endsWith(" desc");
        String column = descending ? text.substring(0, text.length() - " desc".length()) : text;
        Text.identifier("column", column);
        return new OrderTerm(column, descending);
    }

    @JsonValue
    @Override
    public String toString() {
        return descending ? column + " desc" : column;
    }
}
