package millrace.contracts.requests;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the current version of a dataset holds: a query that finds rows in it, for the examples of
 * the API's documentation, and facts about it.
 *
 * @param version of the data
 * @param query null where no row has a metric
 * @param facts null until they are known. Where they are there, so is the version's entity
 *     dictionary in the report store
 * @param versions that operators can switch to, the current one among them, at most {@link #MOST_VERSIONS}; null
 *     where they are switched in the warehouse itself
 * @param absentMetrics metrics that the version has no column for, because it is older than they are; null where
 *     there are none
 */
public record DatasetExample(
        String dataset,
        String version,
        @Nullable ReportQuery query,
        @Nullable DatasetFacts facts,
        @Nullable List<DatasetVersion> versions,
        @Nullable List<String> absentMetrics) {
    public static final int MOST_VERSIONS = 100;

    public DatasetExample {
        versions = versions == null ? null : List.copyOf(versions);
        absentMetrics = absentMetrics == null || absentMetrics.isEmpty() ? null : List.copyOf(absentMetrics);
    }

    /** An example without facts. */
    public DatasetExample(String dataset, String version, @Nullable ReportQuery query) {
        this(dataset, version, query, null, null, null);
    }

    /** An example and facts, without a list of versions. */
    public DatasetExample(String dataset, String version, @Nullable ReportQuery query, @Nullable DatasetFacts facts) {
        this(dataset, version, query, facts, null, null);
    }
}
