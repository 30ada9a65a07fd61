package millrace.processor.warehouse.index;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.List;
import millrace.catalog.dataset.ColumnType;
import millrace.processor.warehouse.rows.RowCells;
import org.jspecify.annotations.Nullable;

/** Rows of one entity as {@link RowBlockWriter} encodes them, of which one is looked at. Only the columns asked for are decoded. */
final class RowBlock implements RowCells {
    private final Column[] columns;
    private final int rows;
    private int row = -1;

    /**
     * @param types of all columns of the block
     * @param wanted the numbers of those to be read; they are numbered anew, in this order
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

    /** One that is read to its end. */
    static RowBlock none() {
        return new RowBlock(new byte[Integer.BYTES], List.of(), new int[0]);
    }

    int rows() {
        return rows;
    }

    /** Moves on to the next row; false at the end. */
    boolean next() {
        return ++row < rows;
    }

    private static final class Column {
        private final byte[] bytes;
        private final ByteBuffer in;
        /** Where its bits begin; -1 where nothing is null. */
        private final int nulls;
        /** Where the rows' values begin, or the rows' numbers of them. */
        private final int values;
        /** Where each of the different texts or dates is. */
        private final int[] places;
        /** Those already decoded. */
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
