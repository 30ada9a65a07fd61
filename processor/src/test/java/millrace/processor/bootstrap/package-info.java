@NullMarked
package millrace.processor.bootstrap;

import org.jspecify.annotations.NullMarked;
