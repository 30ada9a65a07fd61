@NullMarked
package millrace.gateway.connection;

import org.jspecify.annotations.NullMarked;
