@NullMarked
package millrace.gateway.admin.operation;

import org.jspecify.annotations.NullMarked;
