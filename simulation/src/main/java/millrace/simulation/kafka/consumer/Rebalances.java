package millrace.simulation.kafka.consumer;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import millrace.simulation.kafka.broker.Broker;
import millrace.simulation.kafka.broker.TopicMetadata;
import millrace.simulation.kafka.group.JoinRequest;
import millrace.simulation.kafka.group.JoinResponse;
import millrace.simulation.kafka.network.ClientRequest;
import millrace.simulation.kafka.network.Connection;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Assignment;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.GroupSubscription;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.RebalanceProtocol;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.IllegalGenerationException;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.UnknownMemberIdException;
import org.jspecify.annotations.Nullable;

/**
 * Joins the group and gets partitions assigned, step by step with each poll, and calls the listener. The order of the
 * steps, and which of them are repeated after an exception of the listener, are those of Kafka's classic consumer.
 */
final class Rebalances {
    private final Connection connection;
    private final Broker broker;
    private final ConsumerPositions positions;
    private final GroupMember member;
    private final ConsumerPartitionAssignor assignor;
    private final boolean cooperative;
    private List<String> topics = List.of();
    private RebalanceCallbacks listener = new RebalanceCallbacks(Optional.empty());
    private boolean prepareNeeded = true;
    private @Nullable ClientRequest<JoinResponse> joining;
    private @Nullable ClientRequest<List<TopicPartition>> syncing;

    Rebalances(
            Connection connection,
            Broker broker,
            ConsumerPositions positions,
            GroupMember member,
            ConsumerPartitionAssignor assignor) {
        this.connection = connection;
        this.broker = broker;
        this.positions = positions;
        this.member = member;
        this.assignor = assignor;
        this.cooperative = assignor.supportedProtocols().contains(RebalanceProtocol.COOPERATIVE);
    }

    void subscribe(Collection<String> subscribed, @Nullable ConsumerRebalanceListener rebalanceListener) {
        topics = subscribed.stream().sorted().toList();
        listener = new RebalanceCallbacks(Optional.ofNullable(rebalanceListener));
        member.rejoin();
    }

    /** Takes the next steps that need no waiting. */
    void advance() {
        member.polled();
        while (member.rejoinNeeded() || joining != null || syncing != null) {
            if (prepareNeeded) {
                prepareNeeded = false; // also where the listener throws
                prepare();
            }
            if (joining == null && syncing == null) {
                join();
            }
            boolean waits = joining != null ? !receiveJoined(joining) : syncing != null && !receiveAssignment(syncing);
            if (waits) {
                return;
            }
        }
    }

    /** Whether an answer of the group is pending. */
    boolean isPending() {
        return (joining != null && !joining.isDone()) || (syncing != null && !syncing.isDone());
    }

    /** Calls the listener and gives up the partitions. */
    void leave() {
        SortedSet<TopicPartition> dropped = positions.assigned();
        if (!dropped.isEmpty()) {
            if (!member.hasGeneration() || member.rebalancing()) {
                listener.lost(dropped);
            } else {
                listener.revoked(dropped);
            }
            positions.assign(List.of());
            listener.rethrow();
        }
    }

    private void prepare() {
        SortedSet<TopicPartition> owned = positions.assigned();
        if (!member.hasGeneration()) {
            if (!owned.isEmpty()) {
                listener.lost(owned);
                positions.assign(List.of());
            }
        } else if (!cooperative) {
            listener.revoked(owned);
            positions.assign(List.of());
        } else {
            SortedSet<TopicPartition> revoked = TopicMetadata.sorted(
                    owned.stream().filter(p -> !topics.contains(p.topic())).toList());
            if (!revoked.isEmpty()) {
                listener.revoked(revoked);
                owned.removeAll(revoked);
                positions.assign(owned);
            }
        }
        listener.rethrow();
    }

    private void join() {
        member.joining();
        GroupConfig config = member.config();
        var subscription = new Subscription(
                topics,
                assignor.subscriptionUserData(new TreeSet<>(topics)),
                List.copyOf(positions.assigned()),
                member.generation(),
                Optional.empty());
        subscription.setGroupInstanceId(Optional.ofNullable(config.instanceId()));
        var join = new JoinRequest(
                config.group(),
                member.memberId(),
                config.instanceId(),
                config.clientId(),
                assignor.name(),
                subscription,
                config.timeouts());
        joining = connection.send(answer -> broker.groups().join(join, answer));
    }

    private boolean receiveJoined(ClientRequest<JoinResponse> request) {
        if (!request.isDone()) {
            return false;
        }
        joining = null;
        RuntimeException error = request.error();
        if (error != null) {
            failed(error);
        } else if (member.state() == GroupMember.State.PREPARING_REBALANCE) {
            JoinResponse joined = request.get();
            member.joined(joined.memberId(), joined.generation());
            Map<String, List<TopicPartition>> assignments = assign(joined.toAssign());
            var sent = member.membership();
            syncing = connection.send(
                    answer -> broker.groups().sync(member.config().group(), sent, assignments, answer));
        }
        return true;
    }

    private boolean receiveAssignment(ClientRequest<List<TopicPartition>> request) {
        if (!request.isDone()) {
            return false;
        }
        RuntimeException error = request.error();
        if (error != null) {
            syncing = null;
            failed(error);
        } else if (member.state() == GroupMember.State.UNJOINED) {
            syncing = null; // a heartbeat has failed meanwhile
            member.rejoin();
        } else {
            member.synced();
            complete(TopicMetadata.sorted(request.get()));
            // Reset only now, so that the step is repeated after an exception of the listener.
            syncing = null;
            prepareNeeded = true;
        }
        return true;
    }

    private void failed(RuntimeException error) {
        switch (error) {
            case UnknownMemberIdException e -> member.reset(true);
            case IllegalGenerationException e -> member.reset(false);
            case RebalanceInProgressException e -> member.rejoin();
            case FencedInstanceIdException e -> {
                member.rejoin();
                throw e;
            }
            default -> throw error;
        }
    }

    private void complete(SortedSet<TopicPartition> assigned) {
        member.rebalanced();
        SortedSet<TopicPartition> added = TopicMetadata.sorted(assigned);
        added.removeAll(positions.assigned());
        if (cooperative) {
            SortedSet<TopicPartition> revoked = positions.assigned();
            revoked.removeAll(assigned);
            if (!revoked.isEmpty()) {
                listener.revoked(revoked);
                member.rejoin(); // so that other members get the revoked partitions
            }
        }
        assignor.onAssignment(new Assignment(List.copyOf(assigned)), member.groupMetadata());
        positions.assign(assigned);
        listener.assigned(added);
        listener.rethrow();
    }

    private Map<String, List<TopicPartition>> assign(Map<String, Subscription> subscriptions) {
        Map<String, List<TopicPartition>> assignments = new LinkedHashMap<>();
        if (!subscriptions.isEmpty()) {
            Map<String, Subscription> copies = new LinkedHashMap<>();
            subscriptions.forEach((id, subscription) -> copies.put(id, copy(subscription)));
            assignor.assign(TopicMetadata.cluster(broker.logs(), subscriptions.values()), new GroupSubscription(copies))
                    .groupAssignment()
                    .forEach((id, assignment) -> assignments.put(id, List.copyOf(assignment.partitions())));
        }
        return assignments;
    }

    /** A copy, as if sent over the wire, since assignors consume the buffer of the user data. */
    private static Subscription copy(Subscription subscription) {
        ByteBuffer userData = subscription.userData();
        var copy = new Subscription(
                subscription.topics(),
                userData == null ? null : userData.duplicate(),
                subscription.ownedPartitions(),
                subscription.generationId().orElse(-1),
                subscription.rackId());
        copy.setGroupInstanceId(subscription.groupInstanceId());
        return copy;
    }
}
