package millrace.gateway.readmodel;

/**
 * The position of a report's full request in Kafka. Requests are not kept in memory.
 *
 * @param settled true in the compacted topic of requests, false among the commands
 */
public record RequestPosition(boolean settled, int partition, long offset) {}
