package millrace.simulation.kafka.consumer;

import java.util.Optional;
import millrace.simulation.kafka.group.GroupCoordinator;
import millrace.simulation.kafka.group.MemberIdentity;
import millrace.simulation.kafka.network.ClientRequest;
import millrace.simulation.kafka.network.Connection;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.IllegalGenerationException;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.UnknownMemberIdException;
import org.jspecify.annotations.Nullable;

/** A consumer's view of its membership in a group, and its heartbeats. */
final class GroupMember {
    private static final int NO_GENERATION = -1;

    private final Connection connection;
    private final GroupCoordinator groups;
    private final GroupConfig config;
    private State state = State.UNJOINED;
    private String memberId = "";
    private int generation = NO_GENERATION;
    private boolean rejoinNeeded = true;
    private boolean closed;
    private boolean beating;
    private long lastPoll;
    private @Nullable RuntimeException failure;
    private ConsumerGroupMetadata metadata;

    enum State {
        UNJOINED,
        PREPARING_REBALANCE,
        COMPLETING_REBALANCE,
        STABLE
    }

    GroupMember(Connection connection, GroupCoordinator groups, GroupConfig config) {
        this.connection = connection;
        this.groups = groups;
        this.config = config;
        this.metadata = metadata();
    }

    GroupConfig config() {
        return config;
    }

    State state() {
        return state;
    }

    String memberId() {
        return memberId;
    }

    int generation() {
        return generation;
    }

    boolean hasGeneration() {
        return generation != NO_GENERATION && !memberId.isEmpty();
    }

    boolean rejoinNeeded() {
        return rejoinNeeded;
    }

    boolean rebalancing() {
        return state == State.PREPARING_REBALANCE || state == State.COMPLETING_REBALANCE;
    }

    MemberIdentity membership() {
        return new MemberIdentity(memberId, config.instanceId(), generation);
    }

    /** The metadata of the last completed rebalance. */
    ConsumerGroupMetadata groupMetadata() {
        return metadata;
    }

    /** To be called by each poll. Throws the error of a failed heartbeat. */
    void polled() {
        lastPoll = connection.now();
        RuntimeException error = failure;
        if (error != null) {
            failure = null;
            throw error;
        }
    }

    void rejoin() {
        rejoinNeeded = true;
        connection.changed();
    }

    void joining() {
        state = State.PREPARING_REBALANCE;
    }

    void joined(String id, int newGeneration) {
        memberId = id;
        generation = newGeneration;
        state = State.COMPLETING_REBALANCE;
        if (!beating) {
            beating = true;
            beatLater();
        }
    }

    void synced() {
        state = State.STABLE;
        rejoinNeeded = false;
    }

    void rebalanced() {
        metadata = metadata();
    }

    /**
     * Forgets the membership, since the group no longer knows the member or its generation. In the latter case the
     * member id stays valid.
     */
    void reset(boolean withMemberId) {
        state = State.UNJOINED;
        generation = NO_GENERATION;
        memberId = withMemberId ? "" : memberId;
        metadata = metadata();
        rejoin();
    }

    /**
     * The identity for commits.
     *
     * @throws RebalanceInProgressException while the member joins
     * @throws CommitFailedException while the consumer is not a member
     */
    MemberIdentity committing() {
        if (rebalancing()) {
            throw new RebalanceInProgressException(
                    "Offset commit cannot be completed since the consumer is undergoing a"
                            + " rebalance for auto partition assignment.");
        }
        if (state == State.UNJOINED) {
            throw new CommitFailedException(
                    "Offset commit cannot be completed since the consumer is not part of an active"
                            + " group for auto partition assignment");
        }
        return membership();
    }

    /** Stops the heartbeats. */
    void close() {
        closed = true;
    }

    /** Ends the membership. Returns the former identity, or null where the group has not given one. */
    @Nullable
    MemberIdentity reset() {
        MemberIdentity former = state == State.UNJOINED || memberId.isEmpty() ? null : membership();
        reset(true);
        return former;
    }

    /** Sends a request to leave the group. */
    ClientRequest<Boolean> leave(MemberIdentity former) {
        return connection.ask(() -> {
            groups.leave(config.group(), former);
            return true;
        });
    }

    private void beatLater() {
        connection.process().scheduler().timer(config.heartbeatNanos(), this::beat);
    }

    private void beat() {
        if (closed || !connection.process().alive() || state == State.UNJOINED || state == State.PREPARING_REBALANCE) {
            beating = false; // no heartbeats until it has joined again
        } else if (!connection.process().running()) {
            beatLater();
        } else if (connection.now() - lastPoll > config.timeouts().rebalanceNanos()) {
            beating = false;
            pollTooLate();
        } else {
            MemberIdentity sent = membership();
            ClientRequest<Boolean> request = connection.ask(() -> {
                groups.heartbeat(config.group(), sent);
                return true;
            });
            request.whenDone(() -> answered(request.error(), sent));
            beatLater();
        }
    }

    private void pollTooLate() {
        MemberIdentity former = reset();
        if (former != null && config.instanceId() == null) {
            var unused = leave(former);
        }
    }

    private void answered(@Nullable RuntimeException error, MemberIdentity sent) {
        boolean unchanged = sent.equals(membership());
        switch (error) {
            case null -> {}
            case RebalanceInProgressException e when state == State.STABLE -> rejoin();
            case IllegalGenerationException e when unchanged -> reset(false);
            case UnknownMemberIdException e when unchanged -> reset(true);
            case FencedInstanceIdException e
            when unchanged -> {
                reset(true);
                failure = e;
            }
            default -> {}
        }
    }

    @SuppressWarnings("removal") // Kafka has no replacement for this constructor yet
    private ConsumerGroupMetadata metadata() {
        return new ConsumerGroupMetadata(
                config.group(), generation, memberId, Optional.ofNullable(config.instanceId()));
    }
}
