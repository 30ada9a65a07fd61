@NullMarked
package millrace.gateway.admin;

import org.jspecify.annotations.NullMarked;
