@NullMarked
package millrace.runtime.management;

import org.jspecify.annotations.NullMarked;
