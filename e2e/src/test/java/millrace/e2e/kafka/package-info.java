/** Tests what others may read from Kafka, and a Kafka that is secured. */
@NullMarked
package millrace.e2e.kafka;

import org.jspecify.annotations.NullMarked;
