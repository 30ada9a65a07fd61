package millrace.processor.warehouse.duckdb;

import java.time.LocalDate;
import millrace.processor.warehouse.RowStream;

/**
 * A row stream that maps the columns of the report to cells of the rows that it reads. The entity need not have a cell.
 */
abstract class MappedRowStream implements RowStream {
    private final int[] places;

    /**
     * @param places for each column of the report the index of its cell; -1 for the entity, where {@link #entity()}
     *     returns it
     */
    public MappedRowStream(int[] places) {
        this.places = places;
    }

    /** The current row. */
    protected abstract RowCells row();

    /** The entity of the current row. */
    protected abstract String entity();

    @Override
    public final boolean absent(int column) {
        return places[column] >= 0 && row().isNull(places[column]);
    }

    @Override
    public final String text(int column) {
        return places[column] < 0 ? entity() : row().text(places[column]);
    }

    @Override
    public final LocalDate date(int column) {
        return row().date(places[column]);
    }

    @Override
    public final long integer(int column) {
        return row().integer(places[column]);
    }

    @Override
    public final double number(int column) {
        return row().number(places[column]);
    }
}
