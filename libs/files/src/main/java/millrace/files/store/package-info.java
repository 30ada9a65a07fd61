/** The interface of report stores. */
@NullMarked
package millrace.files.store;

import org.jspecify.annotations.NullMarked;
