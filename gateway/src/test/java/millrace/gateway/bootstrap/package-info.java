@NullMarked
package millrace.gateway.bootstrap;

import org.jspecify.annotations.NullMarked;
