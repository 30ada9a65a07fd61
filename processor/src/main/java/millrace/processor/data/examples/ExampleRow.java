package millrace.processor.data.examples;

import millrace.contracts.requests.Granularity;

import java.time.LocalDate;
import java.util.Set;

/**
 * A sampled row without subdomains.
 *
 * @param metrics names of the metrics that have a value
 */
record ExampleRow(String entity, String country, Granularity granularity, LocalDate date, Set<String> metrics) {}
