/** Helpers that tests of several modules share. */
@NullMarked
package millrace.testing;

import org.jspecify.annotations.NullMarked;
