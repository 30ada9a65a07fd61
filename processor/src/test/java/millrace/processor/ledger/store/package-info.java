@NullMarked
package millrace.processor.ledger.store;

import org.jspecify.annotations.NullMarked;
