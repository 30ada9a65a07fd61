/** Serves report files to holders of signed links. */
@NullMarked
package millrace.gateway.downloads;

import org.jspecify.annotations.NullMarked;
