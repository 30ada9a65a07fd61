package millrace.processor.examples;

import java.time.LocalDate;
import java.util.Set;
import millrace.contracts.requests.Granularity;

/**
 * A row that a query without subdomains finds.
 *
 * @param metrics names of those that have a value
 */
record ExampleRow(String entity, String country, Granularity granularity, LocalDate date, Set<String> metrics) {}
