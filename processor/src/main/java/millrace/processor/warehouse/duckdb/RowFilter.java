package millrace.processor.warehouse.duckdb;

import java.time.LocalDate;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import millrace.catalog.dataset.ColumnType;
import millrace.catalog.dataset.KeyColumn;
import millrace.catalog.report.ReportLayout.ColumnFilter;
import millrace.processor.warehouse.SliceQuery;

/** Applies the conditions of {@code SliceSql} to rows of a known entity, granularity and {@code subdomains}. */
final class RowFilter {
    private final int date;
    private final LocalDate first;
    private final LocalDate last;
    private final List<Test> tests;

    private record Test(int column, ColumnType type, Set<String> texts, Set<Long> integers) {
        boolean takes(RowCells row) {
            return !row.isNull(column)
                    && (type == ColumnType.INTEGER
                            ? integers.contains(row.integer(column))
                            : texts.contains(row.text(column)));
        }
    }

    /** @param columns names of the rows' columns */
    public RowFilter(SliceQuery slice, List<String> columns) {
        this.date = columns.indexOf(KeyColumn.DATE);
        this.first = slice.query().dates().first();
        this.last = slice.query().dates().last();
        this.tests = slice.filters().stream()
                .map(filter -> test(filter, columns.indexOf(filter.column())))
                .toList();
    }

    private static Test test(ColumnFilter filter, int column) {
        boolean integer = filter.type() == ColumnType.INTEGER;
        return new Test(
                column,
                filter.type(),
                integer ? Set.of() : Set.copyOf(filter.values()),
                integer
                        ? filter.values().stream().map(Long::valueOf).collect(Collectors.toUnmodifiableSet())
                        : Set.of());
    }

    public boolean takes(RowCells row) {
        if (row.isNull(date)) {
            return false;
        }
        LocalDate day = row.date(date);
        if (day.isBefore(first) || day.isAfter(last)) {
            return false;
        }
        for (Test test : tests) {
            if (!test.takes(row)) {
                return false;
            }
        }
        return true;
    }
}
