package millrace.gateway.readmodel;

/**
 * Where the full request of a report lies. Requests are not kept in memory.
 *
 * @param settled whether in the compacted topic of requests; else still among the commands
 */
public record RequestPosition(boolean settled, int partition, long offset) {}
