package millrace.processor.rendering.rows;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import millrace.catalog.dataset.KeyColumn;
import millrace.catalog.dataset.OrderTerm;
import millrace.catalog.report.Periods;
import millrace.catalog.report.ReportLayout;
import millrace.processor.warehouse.SliceQuery;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a slice within its estimate, whatever the warehouse contains. It drops rows with a repeated key, rows above the
 * catalog's limit per entity, country and period, and periods above those of the request. The first rows in the order
 * of the file are kept.
 */
final class EstimateGuard {
    /** Number of columns that identify a cell: entity, country and date. */
    private static final int CELL = 3;

    private final ReportLayout layout;
    private final long periods;
    private final int entity;
    private final int country;
    private final int date;
    /** Indexes of the other key columns. */
    private final int[] rest;
    /** Whether rows with equal keys are neighbours, because only key columns order the rows. */
    private final boolean sortedByKey;
    /** Whether the rows of one entity, country and period are neighbours. */
    private final boolean sortedByCell;

    private final Map<Cell, Seen> cells = new HashMap<>();
    private final Map<String, Set<String>> datesByCountry = new HashMap<>();
    private @Nullable String currentEntity;
    private @Nullable Cell currentCell;
    private @Nullable Seen current;
    private String @Nullable [] lastKey;

    private record Cell(String country, String date) {}

    /** The rows of one entity in one country and period. */
    private static final class Seen {
        private final boolean withinPeriods;
        private Set<Object> keys = new HashSet<>();
        private long rows;

        Seen(boolean withinPeriods) {
            this.withinPeriods = withinPeriods;
        }
    }

    EstimateGuard(SliceQuery slice) {
        this.layout = slice.layout();
        this.periods = Periods.count(slice.query().dates());
        List<String> keys = layout.keyColumns().stream().map(KeyColumn::name).toList();
        this.entity = keys.indexOf(slice.dataset().entity().column());
        this.country = keys.indexOf(KeyColumn.COUNTRY);
        this.date = keys.indexOf(KeyColumn.DATE);
        this.rest = IntStream.range(0, keys.size())
                .filter(i -> i != entity && i != country && i != date)
                .toArray();
        this.sortedByKey = layout.order().stream().allMatch(o -> keys.contains(o.column()));
        this.sortedByCell = layout.order().stream()
                .limit(CELL)
                .map(OrderTerm::column)
                .collect(Collectors.toSet())
                .equals(Set.of(slice.dataset().entity().column(), KeyColumn.COUNTRY, KeyColumn.DATE));
    }

    /** @param key the texts of the row's key columns, which the caller may change afterwards */
    boolean keeps(String[] key) {
        Seen seen = cell(key);
        if (!seen.withinPeriods || isDuplicate(seen, key)) {
            return false;
        }
        if (layout.capEnforced() && seen.rows >= layout.rowCap()) {
            return false;
        }
        seen.rows++;
        return true;
    }

    private Seen cell(String[] key) {
        if (!key[entity].equals(currentEntity)) {
            currentEntity = key[entity];
            cells.clear();
            datesByCountry.clear();
            currentCell = null;
            current = null;
        }
        Seen seen = current;
        if (seen == null
                || currentCell == null
                || !currentCell.date.equals(key[date])
                || !currentCell.country.equals(key[country])) {
            var cell = new Cell(key[country], key[date]);
            if (sortedByCell && seen != null) {
                seen.keys = new HashSet<>(); // these keys do not come again, and a popular domain has millions
            }
            seen = cells.computeIfAbsent(cell, c -> new Seen(withinPeriods(c)));
            currentCell = cell;
            current = seen;
        }
        return seen;
    }

    private boolean withinPeriods(Cell cell) {
        Set<String> dates = datesByCountry.computeIfAbsent(cell.country, c -> new HashSet<>());
        return dates.size() < periods && dates.add(cell.date);
    }

    private boolean isDuplicate(Seen seen, String[] key) {
        if (!sortedByKey) {
            return !seen.keys.add(rest(key));
        }
        boolean duplicate = Arrays.equals(key, lastKey);
        if (!duplicate) {
            lastKey = key.clone();
        }
        return duplicate;
    }

    /** The key without entity, country and date. */
    private Object rest(String[] key) {
        return rest.length == 1
                ? key[rest[0]]
                : Arrays.stream(rest).mapToObj(i -> key[i]).toList();
    }
}
