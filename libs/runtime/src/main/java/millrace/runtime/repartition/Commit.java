package millrace.runtime.repartition;

/**
 * What a group has committed in a partition.
 *
 * @param metadata empty for none
 */
public record Commit(long offset, String metadata) {}
