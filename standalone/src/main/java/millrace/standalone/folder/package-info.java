/**
 * The folder with all state of a standalone Millrace: where things are in it, and the key of the
 * admin API.
 */
@NullMarked
package millrace.standalone.folder;

import org.jspecify.annotations.NullMarked;
