/** {@code millrace admin}: the commands that call the admin API. */
@NullMarked
package millrace.gateway.admin.command;

import org.jspecify.annotations.NullMarked;
