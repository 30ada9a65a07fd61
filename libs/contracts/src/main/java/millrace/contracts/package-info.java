/** JSON and hashes, for all messages. */
@NullMarked
package millrace.contracts;

import org.jspecify.annotations.NullMarked;
