/**
 * The REST service: validates and estimates requests, appends commands to Kafka, and answers from
 * what it has read from Kafka.
 */
@NullMarked
package millrace.gateway;

import org.jspecify.annotations.NullMarked;
