/** Opens the report store that the settings name; entity lists kept in it, and signed links to its files. */
@NullMarked
package millrace.files;

import org.jspecify.annotations.NullMarked;
