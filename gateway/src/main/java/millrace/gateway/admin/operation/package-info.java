/** What operators see of the service as a whole: open reports, usage, data and processes. */
@NullMarked
package millrace.gateway.admin.operation;

import org.jspecify.annotations.NullMarked;
