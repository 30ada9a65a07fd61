/**
 * Opens the report store that the settings name, reads entity lists in it, and signs links to its
 * files.
 */
@NullMarked
package millrace.files;

import org.jspecify.annotations.NullMarked;
