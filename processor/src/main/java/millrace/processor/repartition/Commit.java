package millrace.processor.repartition;

/**
 * What a group has committed in a partition.
 *
 * @param metadata empty for none
 */
record Commit(long offset, String metadata) {}
