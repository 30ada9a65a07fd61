package millrace.processor.data.importing;

import millrace.catalog.dataset.Dataset;
import millrace.catalog.dataset.DatasetFilter;
import millrace.catalog.dataset.DatasetMetric;
import millrace.catalog.dataset.KeyColumn;
import millrace.catalog.report.Periods;
import millrace.catalog.text.Text;
import millrace.contracts.requests.Granularity;
import millrace.processor.data.importing.CellCheck.ParsedCell;

import java.time.LocalDate;
import java.time.format.TextStyle;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks rows, first their cells and then the row. Of earlier rows it remembers only the day of the week of 7-day
 * windows.
 */
final class RowCheck {
    private static final int DAYS = 7;

    private final List<TableColumn> columns;
    private final ImportProblems problems;
    private final int date;
    private final int granularity;
    /** By request field, the filters whose rows over all values are told apart. */
    private final Map<String, Total> totals = new HashMap<>();

    private final @Nullable Object[] row;
    private @Nullable LocalDate window;
    private String windowPlace = "";

    /** The value of a key column in rows over all values. */
    private record Total(int column, Object value) {}

    /** @param window the first day of a 7-day window of the kept rows, or null */
    RowCheck(Dataset dataset, List<TableColumn> columns, @Nullable LocalDate window, ImportProblems problems) {
        this.columns = columns;
        this.problems = problems;
        this.window = window;
        this.windowPlace = "the data that are there";
        List<String> names = columns.stream().map(TableColumn::name).toList();
        this.date = names.indexOf(KeyColumn.DATE);
        this.granularity = names.indexOf(TableColumn.GRANULARITY);
        this.row = new @Nullable Object[columns.size()];
        for (DatasetFilter filter : dataset.filters()) {
            String total = filter.total();
            if (total != null) {
                Object value = filter.kind() == DatasetFilter.Kind.INTEGER ? (Object) Long.valueOf(total) : total;
                totals.put(filter.field(), new Total(names.indexOf(filter.column()), value));
            }
        }
    }

    /**
     * The values of the current row by column of the table, valid until the next call; null where the row has a
     * problem.
     */
    @Nullable
    Object @Nullable [] read(RowSource source, FileColumns file) {
        if (source.cells() < file.named() || source.cells() > file.all()) {
            problem(
                    source,
                    "has " + source.cells() + (source.cells() == 1 ? " cell" : " cells") + " where the header has "
                            + file.all());
            return null;
        }
        for (int i = file.named(); i < source.cells(); i++) {
            if (!source.cell(i).isEmpty()) {
                problem(source, "has " + Text.quoted(source.cell(i)) + " in column " + (i + 1) + ", which has no name");
                return null;
            }
        }
        boolean right = true;
        for (int i = 0; i < row.length; i++) {
            TableColumn column = columns.get(i);
            int at = file.at().get(i);
            switch (column.check().read(at < 0 ? "" : source.cell(at))) {
                case ParsedCell.Value v -> row[i] = v.value();
                case ParsedCell.Wrong w -> {
                    problem(source, column.name() + ": " + w.problem());
                    right = false;
                }
            }
        }
        return right && period(source, file) ? row : null;
    }

    private boolean period(RowSource source, FileColumns file) {
        LocalDate first = (LocalDate) row[date];
        Granularity period = Granularity.of(String.valueOf(row[granularity])).orElseThrow();
        if (first == null) {
            return false;
        }
        String text = source.cell(file.at().get(date));
        if (CellChecks.isMonth(text) && period != Granularity.MONTHLY) {
            problem(
                    source,
                    "date: " + Text.quoted(text) + " is a month, but the row is " + period.word()
                            + "; accepted: YYYY-MM-DD");
            return false;
        }
        if (!Periods.begins(period, first)) {
            problem(source, "date: " + text + " (" + weekday(first) + ") does not begin a " + begin(period));
            return false;
        }
        return window(source, period, first) && metrics(source, period);
    }

    /** All 7-day windows must begin on the same day of the week, else they would overlap. */
    private boolean window(RowSource source, Granularity period, LocalDate first) {
        if (period != Granularity.SEVEN_DAYS) {
            return true;
        }
        if (window == null) {
            window = first;
            windowPlace = source.place(source.line());
            return true;
        }
        if (Math.floorMod(first.toEpochDay() - window.toEpochDay(), DAYS) != 0) {
            problem(
                    source,
                    "date: " + first + " (" + weekday(first) + ") overlaps other 7days windows, which begin on "
                            + weekday(window) + " (" + windowPlace + ")");
            return false;
        }
        return true;
    }

    private boolean metrics(RowSource source, Granularity period) {
        boolean right = true;
        for (int i = 0; i < row.length; i++) {
            DatasetMetric metric = columns.get(i).metric();
            if (metric == null || row[i] == null) {
                continue;
            }
            right &= total(source, metric);
            if (!metric.granularities().contains(period)) {
                problem(
                        source,
                        metric.name() + ": has no " + period.word() + " figures; accepted: "
                                + String.join(
                                        ", ",
                                        metric.granularities().stream()
                                                .map(Granularity::word)
                                                .toList()));
                right = false;
            }
        }
        return right;
    }

    /** Figures that the metric has over all values only would never be found in a row of one value. */
    private boolean total(RowSource source, DatasetMetric metric) {
        boolean right = true;
        for (String field : metric.without()) {
            Total total = totals.get(field);
            if (total != null && !total.value.equals(row[total.column])) {
                problem(
                        source,
                        metric.name() + ": has no figures by "
                                + columns.get(total.column).name() + "; accepted: only where it is " + total.value);
                right = false;
            }
        }
        return right;
    }

    private static String begin(Granularity period) {
        return switch (period) {
            case DAILY, SEVEN_DAYS -> period.word();
            case WEEKLY -> "week; weekly rows are dated by the Monday";
            case MONTHLY -> "month; monthly rows are dated by the first day";
        };
    }

    private static String weekday(LocalDate day) {
        return day.getDayOfWeek().getDisplayName(TextStyle.FULL, Locale.ENGLISH);
    }

    private void problem(RowSource source, String sentence) {
        problems.add(source.place(source.line()), sentence);
    }
}
