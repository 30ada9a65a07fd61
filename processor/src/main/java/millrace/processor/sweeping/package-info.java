/** Files that nobody needs are deleted. */
@NullMarked
package millrace.processor.sweeping;

import org.jspecify.annotations.NullMarked;
