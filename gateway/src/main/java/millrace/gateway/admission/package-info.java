/** Decides whether a valid request is accepted, reserves its credits until Kafka has it, and appends the command. */
@NullMarked
package millrace.gateway.admission;

import org.jspecify.annotations.NullMarked;
