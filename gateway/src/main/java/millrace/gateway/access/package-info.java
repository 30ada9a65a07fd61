/** Who may call: keys, scopes, and rates that hold for all gateways. Filters each request before its body is read. */
@NullMarked
package millrace.gateway.access;

import org.jspecify.annotations.NullMarked;
