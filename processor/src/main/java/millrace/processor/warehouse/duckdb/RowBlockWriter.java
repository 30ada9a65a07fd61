package millrace.processor.warehouse.duckdb;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import millrace.catalog.dataset.ColumnType;
import org.jspecify.annotations.Nullable;

/**
 * Encodes rows column by column, for {@link RowBlock}: the number of rows, the end of each column, and for each column
 * a bit for each null, if it has any, and its values. Integers and doubles take eight bytes. Texts and dates repeat, so
 * each distinct value is written once, and rows have its index. All numbers are big-endian.
 */
final class RowBlockWriter {
    /** Small, so that a block costs little of which one row is wanted. */
    static final int MOST_ROWS = 4_096;

    private final List<Column> columns;
    private int rows;

    RowBlockWriter(List<ColumnType> types) {
        this.columns = types.stream().map(RowBlockWriter::column).toList();
    }

    /** Collects the values of one column. */
    private abstract static class Column {
        private final BitSet nulls = new BitSet();

        void add(RowCells row, int column, int at) {
            boolean isNull = row.isNull(column);
            nulls.set(at, isNull);
            add(isNull ? null : row, column);
        }

        /** @param row null for a null value */
        abstract void add(@Nullable RowCells row, int column);

        void write(DataOutputStream out, int rows) throws IOException {
            out.writeBoolean(!nulls.isEmpty());
            if (!nulls.isEmpty()) {
                byte[] bits = new byte[(rows + 7) / 8];
                byte[] set = nulls.toByteArray();
                System.arraycopy(set, 0, bits, 0, set.length);
                out.write(bits);
            }
            write(out);
        }

        abstract void write(DataOutputStream out) throws IOException;
    }

    private static final class Numbers extends Column {
        private final boolean integers;
        private final List<Long> bits = new ArrayList<>();

        Numbers(boolean integers) {
            this.integers = integers;
        }

        @Override
        void add(@Nullable RowCells row, int column) {
            if (row == null) {
                bits.add(0L);
            } else {
                bits.add(integers ? row.integer(column) : Double.doubleToRawLongBits(row.number(column)));
            }
        }

        @Override
        void write(DataOutputStream out) throws IOException {
            for (long value : bits) {
                out.writeLong(value);
            }
        }
    }

    private static final class Dictionary extends Column {
        private final boolean dates;
        private final Map<Object, Integer> values = new LinkedHashMap<>();
        private final List<Integer> numbers = new ArrayList<>();

        Dictionary(boolean dates) {
            this.dates = dates;
        }

        @Override
        void add(@Nullable RowCells row, int column) {
            if (row == null) {
                numbers.add(0);
            } else {
                Object value = dates ? (int) row.date(column).toEpochDay() : row.text(column);
                numbers.add(values.computeIfAbsent(value, v -> values.size()));
            }
        }

        @Override
        void write(DataOutputStream out) throws IOException {
            out.writeInt(values.size());
            for (Object value : values.keySet()) {
                if (value instanceof String text) {
                    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
                    out.writeInt(utf8.length);
                    out.write(utf8);
                } else {
                    out.writeInt((Integer) value);
                }
            }
            for (int number : numbers) {
                out.writeShort(number);
            }
        }
    }

    private static Column column(ColumnType type) {
        return switch (type) {
            case TEXT -> new Dictionary(false);
            case DATE -> new Dictionary(true);
            case INTEGER -> new Numbers(true);
            case DOUBLE -> new Numbers(false);
        };
    }

    /** @param first index of the block's first column in the row */
    void add(RowCells row, int first) {
        for (int i = 0; i < columns.size(); i++) {
            columns.get(i).add(row, first + i, rows);
        }
        rows++;
    }

    int rows() {
        return rows;
    }

    byte[] bytes() {
        try {
            var body = new ByteArrayOutputStream();
            var values = new DataOutputStream(body);
            var all = new ByteArrayOutputStream();
            var out = new DataOutputStream(all);
            out.writeInt(rows);
            for (Column column : columns) {
                column.write(values, rows);
                out.writeInt(body.size());
            }
            out.write(body.toByteArray());
            return all.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException("memory cannot be written", e);
        }
    }
}
