package millrace.processor.warehouse.duckdb;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import millrace.processor.warehouse.SliceQuery;
import millrace.processor.warehouse.WarehouseException;
import org.duckdb.DuckDBChunkedResult;
import org.jspecify.annotations.Nullable;

/**
 * Reads rows by the ids of {@link EntityRowRanges}, in the order of the file, without a sort. Few rows are filtered
 * here, which costs less than a filter of the engine. Many rows are filtered by the engine, which then reads the other
 * columns of matching rows only. The order is checked while reading.
 */
final class RowRangeReader implements SliceReader {
    /** Most rows that a statement should return, since the whole result is held outside the Java heap. */
    private static final long AIM = 50_000;
    /** Up to this number of rows, filtering here is cheaper. */
    private static final long FEW = 10_000;
    /** Reading this many unwanted rows (two vectors of the engine) costs less than another branch. */
    private static final long GAP = 4_096;

    private final SliceQuery slice;
    private final EntityRowRanges entityRanges;
    private final SliceSql sql;
    private final String table;
    /** What is read of each row, its id first. */
    private final List<String> columns;

    private final RowFilter filter;
    private final RowOrder order;
    private final int[] places;

    private int nextEntity;
    private EntityRowRanges.@Nullable Range rest;
    private List<Piece> pieces = List.of();
    private List<EntityRowRanges.Range> ranges = List.of();
    private boolean filtered;
    private int piece;
    private long lastId;

    /** Some of the rows of an entity. */
    private record Piece(String entity, EntityRowRanges.Range rows) {}

    public RowRangeReader(SliceQuery slice, EntityRowRanges entityRanges, SliceSql sql, String table) {
        this.slice = slice;
        this.entityRanges = entityRanges;
        this.sql = sql;
        this.table = table;
        SliceColumns read = SliceColumns.of(slice, "rowid");
        this.columns = read.names();
        this.filter = new RowFilter(slice, columns);
        this.order = new RowOrder(slice, columns);
        this.places = read.places();
    }

    @Override
    public @Nullable DuckDBChunkedResult next(DuckDbSession session, long rows) throws WarehouseException {
        nextPieces();
        if (pieces.isEmpty()) {
            return null;
        }
        piece = 0;
        lastId = -1;
        filtered = ranges.stream().mapToLong(EntityRowRanges.Range::rows).sum() > FEW;
        int branches = SliceSql.branches(ranges.size());
        String branch = "SELECT "
                + columns.stream().map(sql::column).collect(Collectors.joining(", "))
                + " FROM " + table + " WHERE rowid BETWEEN ? AND ?"
                + (filtered ? " AND " + sql.filterConditions() : "");
        return session.query(
                (branch + " UNION ALL ").repeat(branches - 1) + branch, statement -> bind(statement, branches));
    }

    /** Sets the parameters; branches without a range find nothing. */
    private void bind(PreparedStatement statement, int branches) throws SQLException {
        int at = 1;
        for (int b = 0; b < branches; b++) {
            boolean used = b < ranges.size();
            statement.setLong(at++, used ? ranges.get(b).first() : 0);
            statement.setLong(at++, used ? ranges.get(b).last() : -1);
            if (filtered) {
                at = sql.bindFilters(statement, at);
            }
        }
    }

    /** Chooses the pieces of the next entities, and the ranges of the statement. Neighbouring pieces share a range. */
    private void nextPieces() {
        pieces = new ArrayList<>();
        ranges = new ArrayList<>();
        long room = AIM;
        while (room > 0) {
            if (rest == null) {
                if (nextEntity == slice.entities().size()) {
                    return;
                }
                rest = entityRanges.rows(slice.query(), slice.entities().get(nextEntity++));
                continue;
            }
            boolean joins = !ranges.isEmpty() && ranges.getLast().isFollowedBy(rest, GAP);
            if (!joins && ranges.size() == SliceSql.MOST_BRANCHES) {
                return;
            }
            long last = Math.min(rest.last(), rest.first() + room - 1);
            var next = new EntityRowRanges.Range(rest.first(), last);
            pieces.add(new Piece(slice.entities().get(nextEntity - 1), next));
            room -= joins ? last - ranges.getLast().last() : next.rows();
            ranges.add(joins ? new EntityRowRanges.Range(ranges.removeLast().first(), last) : next);
            rest = last == rest.last() ? null : new EntityRowRanges.Range(last + 1, rest.last());
        }
    }

    @Override
    public int width() {
        return columns.size();
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
        while (id > pieces.get(piece).rows.last() && piece < pieces.size() - 1) {
            piece++;
        }
        Piece current = pieces.get(piece);
        if (id <= lastId || id > current.rows.last()) {
            throw WarehouseException.notSorted(slice);
        }
        if (id < current.rows.first()) {
            return false;
        }
        if (!order.follows(current.entity, row)) {
            throw WarehouseException.notSorted(slice);
        }
        lastId = id;
        return true;
    }

    @Override
    public String entity() {
        return pieces.get(piece).entity;
    }
}
