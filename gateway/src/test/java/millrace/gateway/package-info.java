@NullMarked
package millrace.gateway;

import org.jspecify.annotations.NullMarked;
