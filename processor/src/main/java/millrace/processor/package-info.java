/** Settings of the processor; the service that they configure is started in {@code bootstrap}. */
@NullMarked
package millrace.processor;

import org.jspecify.annotations.NullMarked;
