package millrace.processor.warehouse.duckdb;

import java.time.LocalDate;

/**
 * The values of one row. Columns are numbered from 0; each is read by the method of its type, and only where it is not
 * null.
 */
interface RowCells {
    boolean isNull(int column);

    String text(int column);

    LocalDate date(int column);

    long integer(int column);

    double number(int column);
}
