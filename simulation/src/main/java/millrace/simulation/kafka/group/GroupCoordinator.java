package millrace.simulation.kafka.group;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import millrace.simulation.kafka.network.ResponseCallback;
import millrace.simulation.kernel.Scheduler;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.common.GroupState;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.jspecify.annotations.Nullable;

/** The coordinator of all consumer groups. */
public final class GroupCoordinator {
    private final Scheduler scheduler;
    private final LongSupplier unavailableNanos;
    private final Map<String, Group> groups = new LinkedHashMap<>();
    private final Map<String, GroupOffsets> offsets = new LinkedHashMap<>();

    /**
     * A member as an administrator sees it.
     *
     * @param assignment empty while the group is not stable
     */
    public record Described(
            String memberId, @Nullable String instanceId, Subscription subscription, List<TopicPartition> assignment) {}

    public GroupCoordinator(Scheduler scheduler, LongSupplier unavailableNanos) {
        this.scheduler = scheduler;
        this.unavailableNanos = unavailableNanos;
    }

    public void join(JoinRequest join, ResponseCallback<JoinResponse> answer) {
        of(join.group()).join(join, answer);
    }

    public void sync(
            String group,
            MemberIdentity member,
            Map<String, List<TopicPartition>> assignments,
            ResponseCallback<List<TopicPartition>> answer) {
        of(group).sync(member, assignments, answer);
    }

    public void heartbeat(String group, MemberIdentity member) {
        of(group).heartbeat(member);
    }

    public void leave(String group, MemberIdentity member) {
        of(group).leave(member.memberId(), member.instanceId());
    }

    public void commit(OffsetCommitRequest commit) {
        of(commit.group()).checkCommit(commit, false);
        offsets(commit.group()).commit(commit.offsets());
    }

    public GroupOffsets offsets(String group) {
        return offsets.computeIfAbsent(group, g -> new GroupOffsets());
    }

    /** @throws GroupIdNotFoundException where no member has ever joined the group */
    public GroupState state(String group) {
        if (!groups.containsKey(group)) {
            throw new GroupIdNotFoundException("Group " + group + " not found.");
        }
        return switch (of(group).state()) {
            case EMPTY -> GroupState.EMPTY;
            case PREPARING_REBALANCE -> GroupState.PREPARING_REBALANCE;
            case COMPLETING_REBALANCE -> GroupState.COMPLETING_REBALANCE;
            case STABLE -> GroupState.STABLE;
        };
    }

    public List<Described> members(String group) {
        boolean stable = of(group).state() == Group.State.STABLE;
        return of(group).members().stream()
                .map(m -> new Described(m.id, m.instanceId, m.subscription, stable ? m.assignment : List.of()))
                .toList();
    }

    /** Throws where the member may no longer commit offsets of a transaction. */
    public void checkTransactionalCommit(OffsetCommitRequest commit) {
        of(commit.group()).checkCommit(commit, true);
    }

    private Group of(String name) {
        return groups.computeIfAbsent(name, n -> new Group(n, scheduler, unavailableNanos));
    }
}
