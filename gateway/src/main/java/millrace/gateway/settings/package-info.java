/** The settings records of the gateway. Depends on no other package of the gateway. */
@NullMarked
package millrace.gateway.settings;

import org.jspecify.annotations.NullMarked;
