package millrace.contracts.requests;

/**
 * A query that finds rows in the current data of a dataset, for the examples of the API's
 * documentation.
 *
 * @param version of the data in which it found rows
 */
public record DatasetExample(String dataset, String version, ReportQuery query) {}
