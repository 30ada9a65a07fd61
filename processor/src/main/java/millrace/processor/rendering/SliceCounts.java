package millrace.processor.rendering;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import millrace.catalog.dataset.DatasetMetric;
import millrace.catalog.dataset.KeyColumn;
import millrace.contracts.reports.ResultCounts;
import millrace.processor.warehouse.SliceQuery;
import org.jspecify.annotations.Nullable;

/** Counts the rows, results and revealed domains of a slice while it is written. */
final class SliceCounts {
    private final List<DatasetMetric> metrics;
    private final int entity;
    private final int revealedColumn;

    private final Set<String> revealedByEntity = new HashSet<>();
    private @Nullable String currentEntity;
    private long rows;
    private long results;
    private long revealed;

    SliceCounts(SliceQuery slice, boolean countsRevealed) {
        this.metrics = slice.layout().metrics();
        List<String> keys =
                slice.layout().keyColumns().stream().map(KeyColumn::name).toList();
        this.entity = keys.indexOf(slice.dataset().entity().column());
        this.revealedColumn = countsRevealed
                ? slice.dataset().revealedColumn().map(keys::indexOf).orElse(-1)
                : -1;
    }

    /**
     * Counts a row.
     *
     * @param key texts of the key columns
     * @param values texts of the metrics; null where absent
     */
    void add(String[] key, @Nullable String[] values) {
        rows++;
        boolean reveals = false;
        for (int i = 0; i < values.length; i++) {
            if (values[i] != null) {
                results++;
                reveals |= metrics.get(i).overlap();
            }
        }
        if (reveals && revealedColumn >= 0) {
            reveal(key[entity], key[revealedColumn]);
        }
    }

    /** Counts a revealed domain. The rows of an entity must be neighbours. */
    private void reveal(String queried, String domain) {
        if (!queried.equals(currentEntity)) {
            currentEntity = queried;
            revealedByEntity.clear();
        }
        if (revealedByEntity.add(domain)) {
            revealed++;
        }
    }

    long rows() {
        return rows;
    }

    ResultCounts counts() {
        return new ResultCounts(rows, results, revealed);
    }
}
