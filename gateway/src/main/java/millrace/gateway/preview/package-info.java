/** Shows the first rows of finished reports, read from the head of their files. */
@NullMarked
package millrace.gateway.preview;

import org.jspecify.annotations.NullMarked;
