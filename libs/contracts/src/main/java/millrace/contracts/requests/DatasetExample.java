package millrace.contracts.requests;

import org.jspecify.annotations.Nullable;

/**
 * What the current version of a dataset holds: a query that finds rows in it, for the examples of
 * the API's documentation, and facts about it.
 *
 * @param version of the data
 * @param query null where no row has a metric
 * @param facts null until they are known. Where they are there, so is the version's entity
 *     dictionary in the report store
 */
public record DatasetExample(
        String dataset,
        String version,
        @Nullable ReportQuery query,
        @Nullable DatasetFacts facts) {

    /** An example without facts. */
    public DatasetExample(String dataset, String version, @Nullable ReportQuery query) {
        this(dataset, version, query, null);
    }
}
