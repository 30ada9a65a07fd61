@NullMarked
package millrace.runtime.cli;

import org.jspecify.annotations.NullMarked;
