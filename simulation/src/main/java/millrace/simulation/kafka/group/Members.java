package millrace.simulation.kafka.group;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/** The members of one group, in the order in which they joined. */
final class Members {
    private final Map<String, Member> byId = new LinkedHashMap<>();

    Collection<Member> all() {
        return byId.values();
    }

    void add(Member member) {
        byId.put(member.id, member);
    }

    void remove(Member member) {
        byId.remove(member.id);
    }

    @Nullable
    Member find(String id) {
        return byId.get(id);
    }

    /**
     * The member that sent a request.
     *
     * @throws org.apache.kafka.common.errors.FencedInstanceIdException where another client has its instance id now
     * @throws org.apache.kafka.common.errors.UnknownMemberIdException where it was removed
     */
    Member get(String id, @Nullable String instanceId) {
        Member ofInstance = ofInstance(instanceId);
        if (ofInstance != null && !ofInstance.id.equals(id)) {
            throw Errors.FENCED_INSTANCE_ID.exception();
        }
        Member member = byId.get(id);
        if (member == null) {
            throw Errors.UNKNOWN_MEMBER_ID.exception();
        }
        return member;
    }

    @Nullable
    Member ofInstance(@Nullable String instanceId) {
        for (Member member : byId.values()) {
            if (instanceId != null && instanceId.equals(member.instanceId)) {
                return member;
            }
        }
        return null;
    }

    boolean allJoin() {
        return byId.values().stream().allMatch(member -> member.joining != null);
    }

    @Nullable
    Member firstJoining() {
        for (Member member : byId.values()) {
            if (member.joining != null) {
                return member;
            }
        }
        return null;
    }

    /** Dynamic members that have not joined again. Static members may join late. */
    List<Member> late() {
        return byId.values().stream()
                .filter(member -> member.joining == null && member.instanceId == null)
                .toList();
    }

    /** The longest rebalance timeout of the members, in nanoseconds. */
    long longestRebalance() {
        return byId.values().stream()
                .mapToLong(member -> member.timeouts.rebalanceNanos())
                .max()
                .orElse(0);
    }

    Map<String, Subscription> subscriptions() {
        Map<String, Subscription> subscriptions = new LinkedHashMap<>();
        byId.forEach((id, member) -> subscriptions.put(id, member.subscription));
        return subscriptions;
    }
}
