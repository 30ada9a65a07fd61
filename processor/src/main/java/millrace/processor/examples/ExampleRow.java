package millrace.processor.examples;

import java.time.LocalDate;
import java.util.Set;
import millrace.contracts.requests.Granularity;

/**
 * A sampled row without subdomains.
 *
 * @param metrics names of the metrics that have a value
 */
record ExampleRow(String entity, String country, Granularity granularity, LocalDate date, Set<String> metrics) {}
