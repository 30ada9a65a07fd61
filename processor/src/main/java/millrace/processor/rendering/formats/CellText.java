package millrace.processor.rendering.formats;

import java.io.IOException;
import java.time.LocalDate;
import millrace.catalog.dataset.ColumnType;
import millrace.catalog.text.Text;
import millrace.processor.warehouse.RowStream;
import org.jspecify.annotations.Nullable;

/** Formats the cells of report files. */
public final class CellText {
    private static final String SPREADSHEET = "spreadsheet";

    private final boolean spreadsheet;
    private long lastDay = Long.MIN_VALUE;
    private String lastDate = "";

    /** @param csvSafety {@code none} or {@code spreadsheet} */
    public CellText(String csvSafety) {
        this.spreadsheet = csvSafety.equals(SPREADSHEET);
    }

    /** The text of a cell. Null where the cell is absent: SQL's NULL, an empty text, NaN and infinity. */
    @Nullable
    public String of(RowStream row, int column, ColumnType type) {
        if (row.absent(column)) {
            return null;
        }
        return switch (type) {
            case TEXT -> text(row.text(column));
            case DATE -> date(row.date(column));
            case INTEGER -> Long.toString(row.integer(column));
            case DOUBLE -> number(row.number(column));
        };
    }

    /** Writes a cell, also one that is absent; returns whether it has a value. */
    public boolean write(RowStream row, int column, ColumnType type, RowWriter out) throws IOException {
        switch (type) {
            case INTEGER -> {
                if (!row.absent(column)) {
                    out.integer(row.integer(column));
                    return true;
                }
            }
            case DOUBLE -> {
                if (!row.absent(column) && Double.isFinite(row.number(column))) {
                    out.number(row.number(column));
                    return true;
                }
            }
            case TEXT, DATE -> {
                @Nullable String text = of(row, column, type);
                if (text != null) {
                    out.text(text);
                    return true;
                }
            }
        }
        out.absent();
        return false;
    }

    @Nullable
    public String text(String value) {
        if (value.isEmpty()) {
            return null;
        }
        return spreadsheet ? Text.cell(value) : value;
    }

    private static @Nullable String number(double value) {
        return Double.isFinite(value) ? NumberText.of(value) : null;
    }

    /** Caches the last date, since neighbouring rows mostly have the same. */
    private String date(LocalDate value) {
        long day = value.toEpochDay();
        if (day != lastDay) {
            lastDay = day;
            lastDate = value.toString();
        }
        return lastDate;
    }
}
