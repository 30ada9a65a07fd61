package millrace.contracts.requests;

import java.time.Instant;
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
 * @param access what an account needs to see the dataset: all capability categories of one of the lists; null in
 *     records of earlier builds
 * @param switchedAt when the version became current; null where the warehouse does not say, and in records of earlier
 *     builds
 * @param absentMetrics metrics that the version has no column for, because it is older than they are; null where
 *     there are none
 */
public record DatasetExample(
        String dataset,
        String version,
        @Nullable ReportQuery query,
        @Nullable DatasetFacts facts,
        @Nullable List<DatasetVersion> versions,
        @Nullable List<List<String>> access,
        @Nullable Instant switchedAt,
        @Nullable List<String> absentMetrics) {
    public static final int MOST_VERSIONS = 100;

    public DatasetExample {
        versions = versions == null ? null : List.copyOf(versions);
        access = access == null ? null : access.stream().map(List::copyOf).toList();
        absentMetrics = absentMetrics == null || absentMetrics.isEmpty() ? null : List.copyOf(absentMetrics);
    }
}
