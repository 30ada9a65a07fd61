@NullMarked
package millrace.gateway.datasets;

import org.jspecify.annotations.NullMarked;
