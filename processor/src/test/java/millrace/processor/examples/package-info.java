@NullMarked
package millrace.processor.examples;

import org.jspecify.annotations.NullMarked;
