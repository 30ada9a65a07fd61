/** Tests a cluster under load while its parts are killed, stopped and cut off. */
@NullMarked
package millrace.e2e.cluster;

import org.jspecify.annotations.NullMarked;
