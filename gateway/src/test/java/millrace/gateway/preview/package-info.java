@NullMarked
package millrace.gateway.preview;

import org.jspecify.annotations.NullMarked;
