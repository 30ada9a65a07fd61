@NullMarked
package millrace.gateway.openapi;

import org.jspecify.annotations.NullMarked;
