@NullMarked
package millrace.gateway.commands;

import org.jspecify.annotations.NullMarked;
