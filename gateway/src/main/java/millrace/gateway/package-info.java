/** The REST service: validates, estimates, appends commands, and answers from what it has folded from Kafka. */
@NullMarked
package millrace.gateway;

import org.jspecify.annotations.NullMarked;
