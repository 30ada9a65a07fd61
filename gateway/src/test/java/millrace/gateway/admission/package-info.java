@NullMarked
package millrace.gateway.admission;

import org.jspecify.annotations.NullMarked;
