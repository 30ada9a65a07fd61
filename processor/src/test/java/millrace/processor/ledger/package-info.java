@NullMarked
package millrace.processor.ledger;

import org.jspecify.annotations.NullMarked;
