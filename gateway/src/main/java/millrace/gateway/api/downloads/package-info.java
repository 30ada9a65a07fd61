/** Serves report files to holders of signed links, and the first rows of a file to its account. */
@NullMarked
package millrace.gateway.api.downloads;

import org.jspecify.annotations.NullMarked;
