package millrace.catalog.dataset;

import millrace.catalog.text.Text;

/** A column that identifies a row. Its values are free of charge. */
public record KeyColumn(String name, ColumnType type) {
    /** Every dataset has it. */
    public static final String COUNTRY = "country";

    /** Every dataset has it: the first day of the period. */
    public static final String DATE = "date";

    public KeyColumn {
        Text.identifier("name", name);
        if (type == ColumnType.DOUBLE) {
            throw new IllegalArgumentException("type: a key column is text, integer or date, not double");
        }
    }
}
