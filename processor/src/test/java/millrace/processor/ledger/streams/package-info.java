@NullMarked
package millrace.processor.ledger.streams;

import org.jspecify.annotations.NullMarked;
