/**
 * Opens the report store that the settings name, in a folder or in a bucket of S3-compatible
 * storage, reads entity lists in it, and signs links to its files.
 */
@NullMarked
package millrace.files;

import org.jspecify.annotations.NullMarked;
