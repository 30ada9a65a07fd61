package millrace.processor.warehouse.duckdb;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.List;
import millrace.catalog.dataset.ColumnType;
import org.jspecify.annotations.Nullable;

/** Reads rows of one entity that {@link RowBlockWriter} encoded. Only the wanted columns are decoded. */
final class RowBlock implements RowCells {
    private final Column[] columns;
    private final int rows;
    private int row = -1;

    /**
     * @param types of all columns of the block
     * @param wanted the indexes of the columns to read; the caller numbers them in this order
     */
    RowBlock(byte[] bytes, List<ColumnType> types, int[] wanted) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        this.rows = in.getInt(0);
        int body = Integer.BYTES * (1 + types.size());
        this.columns = new Column[wanted.length];
        for (int i = 0; i < wanted.length; i++) {
            int start = wanted[i] == 0 ? body : body + in.getInt(Integer.BYTES * wanted[i]);
            columns[i] = new Column(bytes, start, rows, types.get(wanted[i]));
        }
    }

    /** A block without further rows. */
    static RowBlock none() {
        return new RowBlock(new byte[Integer.BYTES], List.of(), new int[0]);
    }

    int rows() {
        return rows;
    }

    /** Moves to the next row; false at the end. */
    boolean next() {
        return ++row < rows;
    }

    private static final class Column {
        private final byte[] bytes;
        private final ByteBuffer in;
        /** Offset of the null bits; -1 where no value is null. */
        private final int nulls;
        /** Offset of the rows' values, or of their indexes into the distinct values. */
        private final int values;
        /** Offsets of the distinct texts or dates. */
        private final int[] places;
        /** Decoded distinct values. */
        private final @Nullable Object[] known;

        Column(byte[] bytes, int start, int rows, ColumnType type) {
            this.bytes = bytes;
            this.in = ByteBuffer.wrap(bytes);
            boolean hasNulls = in.get(start) != 0;
            this.nulls = hasNulls ? start + 1 : -1;
            int at = start + 1 + (hasNulls ? (rows + 7) / 8 : 0);
            boolean repeated = type == ColumnType.TEXT || type == ColumnType.DATE;
            this.places = new int[repeated ? in.getInt(at) : 0];
            this.known = new @Nullable Object[places.length];
            at += repeated ? Integer.BYTES : 0;
            for (int i = 0; i < places.length; i++) {
                places[i] = at;
                at += Integer.BYTES + (type == ColumnType.TEXT ? in.getInt(at) : 0);
            }
            this.values = at;
        }

        boolean isNull(int row) {
            return nulls >= 0 && (in.get(nulls + (row >> 3)) >> (row & 7) & 1) != 0;
        }

        long bits(int row) {
            return in.getLong(values + Long.BYTES * row);
        }

        String text(int row) {
            int number = number(row);
            if (known[number] instanceof String text) {
                return text;
            }
            int place = places[number];
            String text = new String(bytes, place + Integer.BYTES, in.getInt(place), StandardCharsets.UTF_8);
            known[number] = text;
            return text;
        }

        LocalDate date(int row) {
            int number = number(row);
            if (known[number] instanceof LocalDate date) {
                return date;
            }
            LocalDate date = LocalDate.ofEpochDay(in.getInt(places[number]));
            known[number] = date;
            return date;
        }

        private int number(int row) {
            return Short.toUnsignedInt(in.getShort(values + Short.BYTES * row));
        }
    }

    @Override
    public boolean isNull(int column) {
        return columns[column].isNull(row);
    }

    @Override
    public String text(int column) {
        return columns[column].text(row);
    }

    @Override
    public LocalDate date(int column) {
        return columns[column].date(row);
    }

    @Override
    public long integer(int column) {
        return columns[column].bits(row);
    }

    @Override
    public double number(int column) {
        return Double.longBitsToDouble(columns[column].bits(row));
    }
}
