package millrace.processor.warehouse;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import millrace.processor.warehouse.WarehouseException.Reason;
import org.duckdb.DuckDBChunkedResult;
import org.jspecify.annotations.Nullable;

/**
 * Reads the rows where the {@link EntityIndex} says they lie, as they lie: a sorted file needs no sort. Few rows are filtered
 * here, which costs less than planning and running a filter; many are filtered by the engine, which then reads the other
 * columns of matching rows only. The order is checked on the way.
 */
final class RangeReading implements Reading {
    /** Rows that a statement should bring at most: a result is held whole, outside the Java heap. */
    private static final long AIM = 50_000;
    /** Rows up to which filtering here is cheaper. */
    private static final long FEW = 10_000;

    private final SliceQuery slice;
    private final EntityIndex index;
    private final RangeSql sql;
    private final RowFilter filter;
    private final RowOrder order;
    private final int[] places;

    private int nextEntity;
    private EntityIndex.@Nullable Range rest;
    private List<Piece> pieces = List.of();
    private boolean filtered;
    private int piece;

    /** Part of the rows of an entity. */
    record Piece(String entity, long first, long last) {}

    RangeReading(SliceQuery slice, EntityIndex index, SliceSql sql, String table) {
        this.slice = slice;
        this.index = index;
        List<String> columns = columns(slice);
        this.sql = new RangeSql(table, columns, sql);
        this.filter = new RowFilter(slice, sql.filters(), columns);
        this.order = new RowOrder(slice, columns);
        this.places = slice.layout().header().stream()
                .mapToInt(name -> isEntity(slice, name) ? -1 : columns.indexOf(name))
                .toArray();
    }

    /** What a statement selects: the row id first, then all that is written, filtered or ordered by, but the entity. */
    private static List<String> columns(SliceQuery slice) {
        Set<String> columns = new LinkedHashSet<>();
        columns.add(RangeSql.ROW_ID);
        columns.addAll(slice.layout().header());
        slice.layout().filters().forEach(f -> columns.add(f.column()));
        slice.layout().order().forEach(o -> columns.add(o.column()));
        columns.removeIf(name -> isEntity(slice, name));
        return List.copyOf(columns);
    }

    private static boolean isEntity(SliceQuery slice, String column) {
        return column.equals(slice.dataset().entity().column());
    }

    @Override
    public @Nullable DuckDBChunkedResult next(DuckDbSession session, long rows) throws WarehouseException {
        pieces = nextPieces();
        if (pieces.isEmpty()) {
            return null;
        }
        piece = 0;
        filtered = pieces.stream().mapToLong(p -> p.last - p.first + 1).sum() > FEW;
        int branches = SliceSql.branches(pieces.size());
        return session.query(
                sql.text(branches, filtered), statement -> sql.bind(statement, pieces, branches, filtered));
    }

    private List<Piece> nextPieces() {
        List<Piece> next = new ArrayList<>();
        long room = AIM;
        while (room > 0 && next.size() < SliceSql.MOST_BRANCHES) {
            if (rest == null) {
                if (nextEntity == slice.entities().size()) {
                    break;
                }
                rest = index.rows(slice.query(), slice.entities().get(nextEntity++));
                continue;
            }
            long last = Math.min(rest.last(), rest.first() + room - 1);
            next.add(new Piece(slice.entities().get(nextEntity - 1), rest.first(), last));
            room -= last - rest.first() + 1;
            rest = last == rest.last() ? null : new EntityIndex.Range(last + 1, rest.last());
        }
        return next;
    }

    @Override
    public int width() {
        return sql.width();
    }

    @Override
    public int[] places() {
        return places;
    }

    @Override
    public boolean takes(ChunkRow row) throws WarehouseException {
        if (!filtered && !filter.takes(row)) {
            return false;
        }
        long id = row.integer(0);
        while (id > pieces.get(piece).last && piece < pieces.size() - 1) {
            piece++;
        }
        Piece current = pieces.get(piece);
        if (id < current.first || id > current.last || !order.follows(current.entity, row)) {
            throw new WarehouseException(
                    Reason.NOT_SORTED,
                    "dataset " + slice.dataset().name() + ", version " + slice.version()
                            + ": the rows do not lie in the order of reports");
        }
        return true;
    }

    @Override
    public String entity() {
        return pieces.get(piece).entity;
    }
}
