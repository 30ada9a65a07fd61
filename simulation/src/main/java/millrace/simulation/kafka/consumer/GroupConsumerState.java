package millrace.simulation.kafka.consumer;

import java.util.function.BooleanSupplier;
import millrace.simulation.kafka.broker.Broker;
import millrace.simulation.kafka.group.MemberIdentity;
import millrace.simulation.kafka.network.ClientConfig;
import millrace.simulation.kafka.network.ClientRequest;
import millrace.simulation.kafka.network.Connection;
import org.apache.kafka.clients.consumer.CloseOptions.GroupMembershipOperation;
import org.jspecify.annotations.Nullable;

/** The additional state of a consumer that has a group. */
record GroupConsumerState(Connection connection, GroupMember member, Rebalances rebalances, OffsetCommits commits) {
    /** The state; null where no group is configured. */
    static @Nullable GroupConsumerState of(
            Connection connection,
            Broker broker,
            ConsumerPositions positions,
            ClientConfig config,
            BooleanSupplier subscribed) {
        GroupConfig groupConfig = GroupConfig.of(config);
        if (groupConfig == null) {
            return null;
        }
        var member = new GroupMember(connection, broker.groups(), groupConfig);
        return new GroupConsumerState(
                connection,
                member,
                new Rebalances(connection, broker, positions, member, config.assignor()),
                new OffsetCommits(connection, broker.groups(), member, subscribed));
    }

    /** Gives up the partitions and leaves the group. A member that is joining waits for the group's answer first. */
    void leave(GroupMembershipOperation operation, long deadline) {
        rebalances.leave();
        boolean leaves =
                switch (operation) {
                    case LEAVE_GROUP -> true;
                    case REMAIN_IN_GROUP -> false;
                    case DEFAULT -> member.config().instanceId() == null;
                };
        MemberIdentity former = member.reset();
        boolean answered = connection.await(() -> !rebalances.isPending(), deadline);
        if (answered && leaves && former != null) {
            ClientRequest<Boolean> left = member.leave(former);
            var unused = connection.await(left::isDone, deadline);
        }
    }
}
