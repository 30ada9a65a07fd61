package millrace.gateway.api.reports;

import millrace.catalog.dataset.Dataset;

/** How a request for a report says which dataset it is about, and how its body is built. */
sealed interface RequestShape {
    /** A body of v3; the path names the dataset. */
    record OfDataset(Dataset dataset) implements RequestShape {}

    /** A body of v3 on a path without a dataset: it is about the one that has its metrics. */
    record OfMetrics() implements RequestShape {}

    /** A body of v4 or v5, which names the dataset. */
    record Nested() implements RequestShape {}
}
