package millrace.catalog;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import millrace.catalog.dataset.ColumnType;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.dataset.DatasetFilter;
import millrace.catalog.dataset.DatasetMetric;
import millrace.contracts.Json;
import org.jspecify.annotations.Nullable;

/**
 * Hashes what of a dataset's declaration decides the rows of a report: everything about its rows, and
 * of the metrics only those that the report names. So a catalog that declares more metrics has the same
 * hash for the reports that both can make.
 */
final class DeclarationHash {
    private static final int BYTES = 8;

    private final byte[] rows;
    /** By name. */
    private final Map<String, byte[]> metrics;

    DeclarationHash(Dataset dataset) {
        this.rows = Json.bytes(Arrays.asList(
                dataset.name(),
                dataset.entity().column(),
                dataset.entity().kind(),
                dataset.keyColumns(),
                dataset.filters().stream().map(Filter::of).toList(),
                dataset.rowOrder(),
                dataset.maxRows()));
        this.metrics = dataset.metrics().stream()
                .collect(Collectors.toUnmodifiableMap(DatasetMetric::name, m -> Json.bytes(Column.of(m))));
    }

    /** What of a filter decides which rows are in a file; requests may spell it in other ways. */
    private record Filter(
            String column,
            DatasetFilter.Kind kind,
            List<String> values,
            @Nullable String total) {
        static Filter of(DatasetFilter filter) {
            return new Filter(filter.column(), filter.kind(), filter.values(), filter.total());
        }
    }

    /** What of a metric is in a file. */
    private record Column(
            String name, ColumnType type, @Nullable String reveals) {
        static Column of(DatasetMetric metric) {
            return new Column(metric.name(), metric.type(), metric.reveals());
        }
    }

    /** The hash for a report with these metrics; empty where one of them is not declared. */
    Optional<String> of(List<String> names) {
        MessageDigest digest = sha256();
        digest.update(rows);
        for (String name : names) {
            byte[] metric = metrics.get(name);
            if (metric == null) {
                return Optional.empty();
            }
            digest.update(metric);
        }
        return Optional.of(HexFormat.of().formatHex(digest.digest(), 0, BYTES));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
