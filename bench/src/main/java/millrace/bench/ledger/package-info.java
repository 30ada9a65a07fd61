/** Benchmarks of the ledger. */
@NullMarked
package millrace.bench.ledger;

import org.jspecify.annotations.NullMarked;
