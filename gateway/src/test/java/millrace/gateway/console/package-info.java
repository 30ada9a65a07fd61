@NullMarked
package millrace.gateway.console;

import org.jspecify.annotations.NullMarked;
