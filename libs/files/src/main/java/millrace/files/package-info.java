/** Report files and the signed links to them. */
@NullMarked
package millrace.files;

import org.jspecify.annotations.NullMarked;
