/** What all messages share: JSON and hashes. */
@NullMarked
package millrace.contracts;

import org.jspecify.annotations.NullMarked;
