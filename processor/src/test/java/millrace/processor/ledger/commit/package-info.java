@NullMarked
package millrace.processor.ledger.commit;

import org.jspecify.annotations.NullMarked;
