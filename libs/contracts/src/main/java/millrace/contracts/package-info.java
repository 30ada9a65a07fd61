/** Every topic and every message of Millrace, each exactly once. */
@NullMarked
package millrace.contracts;

import org.jspecify.annotations.NullMarked;
