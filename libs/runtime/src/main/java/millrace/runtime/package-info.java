/** Helpers for Kafka's admin client. The services' common parts are in the packages below. */
@NullMarked
package millrace.runtime;

import org.jspecify.annotations.NullMarked;
