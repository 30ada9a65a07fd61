package millrace.catalog.report;

import java.util.Objects;
import java.util.Optional;
import millrace.catalog.dataset.Dataset;
import millrace.contracts.requests.ReportQuery;
import millrace.contracts.requests.ReportQuery.Split;

/**
 * Decides how a report is cut into files. The rows of an entity stay together, and a file has as many entities as can
 * have {@code maxRows} rows at most, whatever is in the data. So the cut follows from the request alone.
 */
public final class ReportSplit {
    /** Smaller files than this nobody needs. */
    public static final long LEAST_ROWS = 10_000;

    public static final long MOST_ROWS = 1_000_000_000;

    private ReportSplit() {}

    /** The least {@code maxRows} of the query, above which it has at most {@link Split#MOST_PARTS} files. */
    public static long least(Dataset dataset, ReportQuery query) {
        long needed = rows(dataset, query, Math.ceilDiv(query.entityCount(), Split.MOST_PARTS));
        Integer limit = query.limit();
        return Math.max(LEAST_ROWS, limit == null ? needed : Math.min(needed, limit));
    }

    /** @param maxRows most rows of a file, not below {@link #least} */
    public static Split of(Dataset dataset, ReportQuery query, long maxRows) {
        return new Split(maxRows, parts(dataset, query, maxRows));
    }

    /** @param files most files of the report, from 1 */
    public static Split ofFiles(Dataset dataset, ReportQuery query, int files) {
        long maxRows = rows(dataset, query, Math.ceilDiv(query.entityCount(), files));
        return new Split(null, files, parts(dataset, query, maxRows));
    }

    /** The same query, cut as its rows need it; empty if it would have too many files. To be called if it has other dates. */
    public static Optional<ReportQuery> again(Dataset dataset, ReportQuery query) {
        Split split = query.split();
        if (split == null) {
            return Optional.of(query);
        }
        if (split.maxRows() == null) {
            int files = Objects.requireNonNull(split.numOfFiles());
            return Optional.of(query.withSplit(ofFiles(dataset, query, files)));
        }
        return split.maxRows() < least(dataset, query)
                ? Optional.empty()
                : Optional.of(query.withSplit(of(dataset, query, split.maxRows())));
    }

    private static int parts(Dataset dataset, ReportQuery query, long maxRows) {
        if (ReportEstimate.quote(dataset, query).rows() <= maxRows) {
            return 1;
        }
        long entities = Math.max(1, maxRows / rows(dataset, query, 1));
        return (int) Math.ceilDiv((long) query.entityCount(), entities);
    }

    /** Most rows of so many entities, at least 1. */
    private static long rows(Dataset dataset, ReportQuery query, int entities) {
        return Math.max(1, ReportEstimate.times(entities, ReportEstimate.rowsOfEntity(dataset, query)));
    }
}
