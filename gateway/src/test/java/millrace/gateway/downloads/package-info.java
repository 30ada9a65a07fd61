@NullMarked
package millrace.gateway.downloads;

import org.jspecify.annotations.NullMarked;
