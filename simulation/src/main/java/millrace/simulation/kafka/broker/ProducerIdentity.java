package millrace.simulation.kafka.broker;

import org.jspecify.annotations.Nullable;

/**
 * The identity of a producer.
 *
 * @param epoch of a transactional producer, which a newer epoch of the same transactional id fences
 */
public record ProducerIdentity(@Nullable String transactionalId, long id, int epoch) {}
