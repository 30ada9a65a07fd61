package millrace.processor.warehouse;

import java.time.LocalDate;

/**
 * The rows of a slice in the order of the file. Columns are numbered from 0: the key columns, then the metrics, as in
 * {@link millrace.catalog.report.ReportLayout#header()}. Each is read by the method of its declared type, and only
 * where it is not {@link #absent}. One thread reads; any thread may cancel.
 */
public interface RowStream extends AutoCloseable {

    /** Moves to the next row; false at the end. */
    boolean next() throws WarehouseException;

    boolean absent(int column);

    String text(int column);

    LocalDate date(int column);

    long integer(int column);

    double number(int column);

    /** Ends the stream soon; its reader gets {@link WarehouseException.Reason#CANCELLED}. */
    void cancel();

    @Override
    void close();
}
