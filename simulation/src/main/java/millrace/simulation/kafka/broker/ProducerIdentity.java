package millrace.simulation.kafka.broker;

import org.jspecify.annotations.Nullable;

/**
 * Who writes.
 *
 * @param epoch of a transactional producer; a newer one of the same transactional id fences it
 */
public record ProducerIdentity(@Nullable String transactionalId, long id, int epoch) {}
