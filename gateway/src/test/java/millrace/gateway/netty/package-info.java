@NullMarked
package millrace.gateway.netty;

import org.jspecify.annotations.NullMarked;
