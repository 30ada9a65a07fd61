/** The processor as a whole: its topology under a driver, and on a real broker. */
@NullMarked
package millrace.processor;

import org.jspecify.annotations.NullMarked;
