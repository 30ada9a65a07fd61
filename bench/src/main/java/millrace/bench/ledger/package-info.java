/** Benchmarks of the ledger, and of a change of its partitions. */
@NullMarked
package millrace.bench.ledger;

import org.jspecify.annotations.NullMarked;
