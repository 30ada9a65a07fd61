/**
 * Admits requests and appends commands to Kafka, acknowledged by all in-sync replicas. Knows
 * nothing of HTTP.
 */
@NullMarked
package millrace.gateway.commands;

import org.jspecify.annotations.NullMarked;
