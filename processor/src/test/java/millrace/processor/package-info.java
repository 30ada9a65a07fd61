@NullMarked
package millrace.processor;

import org.jspecify.annotations.NullMarked;
