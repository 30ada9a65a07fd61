package millrace.simulation.kafka.group;

import java.util.random.RandomGenerator;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.jspecify.annotations.Nullable;

/**
 * A request to join a group.
 *
 * @param memberId empty for a client that is not a member
 * @param clientId prefix of the id of a new member
 * @param assignor name of the assignor that it supports
 */
public record JoinRequest(
        String group,
        String memberId,
        @Nullable String instanceId,
        String clientId,
        String assignor,
        Subscription subscription,
        Timeouts timeouts) {
    /**
     * How long the coordinator waits for a member.
     *
     * @param sessionNanos for its heartbeat
     * @param rebalanceNanos for its next join request
     */
    public record Timeouts(long sessionNanos, long rebalanceNanos) {}

    String newMemberId(RandomGenerator random) {
        return (instanceId == null ? clientId : instanceId) + "-" + Long.toHexString(random.nextLong());
    }
}
