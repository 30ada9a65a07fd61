/** The folder with all state of a standalone Millrace: where things are in it. */
@NullMarked
package millrace.standalone.folder;

import org.jspecify.annotations.NullMarked;
