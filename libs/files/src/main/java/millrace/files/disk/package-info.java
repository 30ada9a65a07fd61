/** A report store in a folder. */
@NullMarked
package millrace.files.disk;

import org.jspecify.annotations.NullMarked;
