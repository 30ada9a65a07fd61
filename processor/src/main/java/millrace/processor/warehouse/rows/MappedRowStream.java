package millrace.processor.warehouse.rows;

import java.time.LocalDate;
import millrace.processor.warehouse.RowStream;

/** A stream whose report's columns lie at some places of the cells that it reads; the entity may be known without a cell. */
public abstract class MappedRowStream implements RowStream {
    private final int[] places;

    /** @param places of the report's columns; -1 for the entity, where {@link #entity()} tells it */
    public MappedRowStream(int[] places) {
        this.places = places;
    }

    /** The row that {@link #next()} moved to. */
    protected abstract RowCells row();

    /** Of that row. */
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
