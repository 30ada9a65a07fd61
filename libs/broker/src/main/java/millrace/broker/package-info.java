/** Runs Apache Kafka inside this JVM. */
@NullMarked
package millrace.broker;

import org.jspecify.annotations.NullMarked;
