/** Routes with which an account makes, changes and revokes its own keys and rotates its webhook secret. */
@NullMarked
package millrace.gateway.api.keys;

import org.jspecify.annotations.NullMarked;
