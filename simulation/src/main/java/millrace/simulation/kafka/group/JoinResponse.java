package millrace.simulation.kafka.group;

import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;

/**
 * The answer to {@link JoinRequest}.
 *
 * @param toAssign the subscriptions of all members by member id, if this member is the leader; else empty
 */
public record JoinResponse(String memberId, int generation, Map<String, Subscription> toAssign) {}
