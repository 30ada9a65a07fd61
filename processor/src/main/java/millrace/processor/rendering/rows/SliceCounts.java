package millrace.processor.rendering.rows;

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
    private final int entity;
    private final int revealedColumn;

    private final Set<String> revealedByEntity = new HashSet<>();
    private @Nullable String currentEntity;
    /** Whether the current row has a value of a metric that reveals domains. */
    private boolean reveals;

    private long rows;
    private long results;
    private long revealed;

    SliceCounts(SliceQuery slice, boolean countsRevealed) {
        List<String> keys =
                slice.layout().keyColumns().stream().map(KeyColumn::name).toList();
        this.entity = keys.indexOf(slice.dataset().entity().column());
        this.revealedColumn = countsRevealed
                ? slice.dataset().revealedColumn().map(keys::indexOf).orElse(-1)
                : -1;
    }

    /** Counts a metric of the current row that has a value. */
    void addResult(DatasetMetric metric) {
        results++;
        reveals |= metric.overlap();
    }

    /**
     * Counts a row, after its results.
     *
     * @param key texts of the key columns
     */
    void addRow(String[] key) {
        rows++;
        if (reveals && revealedColumn >= 0) {
            reveal(key[entity], key[revealedColumn]);
        }
        reveals = false;
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
