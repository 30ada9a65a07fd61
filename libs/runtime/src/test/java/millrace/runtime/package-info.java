@NullMarked
package millrace.runtime;

import org.jspecify.annotations.NullMarked;
