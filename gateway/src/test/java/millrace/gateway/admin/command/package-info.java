@NullMarked
package millrace.gateway.admin.command;

import org.jspecify.annotations.NullMarked;
