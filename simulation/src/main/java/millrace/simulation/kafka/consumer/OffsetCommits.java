package millrace.simulation.kafka.consumer;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.function.BooleanSupplier;
import millrace.simulation.kafka.group.GroupCoordinator;
import millrace.simulation.kafka.group.MemberIdentity;
import millrace.simulation.kafka.group.OffsetCommitRequest;
import millrace.simulation.kafka.network.ClientRequest;
import millrace.simulation.kafka.network.Connection;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.consumer.OffsetCommitCallback;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.IllegalGenerationException;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownMemberIdException;
import org.jspecify.annotations.Nullable;

/** Commits offsets of a consumer's group, as a member, or with self-assigned partitions without a membership. */
final class OffsetCommits {
    private static final MemberIdentity NO_MEMBER = new MemberIdentity("", null, -1);

    private final Connection connection;
    private final GroupCoordinator groups;
    private final GroupMember member;
    private final BooleanSupplier subscribed;
    private final Queue<Runnable> completed = new ArrayDeque<>();
    private int pending;

    OffsetCommits(Connection connection, GroupCoordinator groups, GroupMember member, BooleanSupplier subscribed) {
        this.connection = connection;
        this.groups = groups;
        this.member = member;
        this.subscribed = subscribed;
    }

    /** Commits and waits for the result; a wakeup ends the wait. */
    void sync(Map<TopicPartition, OffsetAndMetadata> offsets, long timeoutNanos, WakeupFlag wakeup) {
        callBack();
        if (offsets.isEmpty()) {
            return;
        }
        MemberIdentity as = as();
        ClientRequest<Boolean> request = send(offsets, as);
        boolean done = connection.await(() -> wakeup.throwsOr(request.isDone()), connection.deadline(timeoutNanos));
        if (!done) {
            request.abandon();
            throw new TimeoutException("Timeout expired before successfully committing offsets " + offsets);
        }
        callBack();
        RuntimeException error = request.error();
        if (error != null) {
            throw failed(error, as);
        }
    }

    void async(Map<TopicPartition, OffsetAndMetadata> offsets, @Nullable OffsetCommitCallback callback) {
        callBack();
        Map<TopicPartition, OffsetAndMetadata> copy = new LinkedHashMap<>(offsets);
        MemberIdentity as;
        try {
            as = as();
        } catch (RuntimeException e) {
            complete(copy, callback, e);
            return;
        }
        pending++;
        ClientRequest<Boolean> request = send(copy, as);
        request.whenDone(() -> {
            pending--;
            RuntimeException error = request.error();
            complete(copy, callback, error == null ? null : failed(error, as));
        });
    }

    /** Runs the callbacks of commits that have ended, on the consumer's thread as Kafka does. */
    void callBack() {
        for (Runnable next = completed.poll(); next != null; next = completed.poll()) {
            next.run();
        }
    }

    /** Waits for the commits that are under way. */
    void await(long deadline) {
        connection.await(() -> pending == 0, deadline);
        callBack();
    }

    private void complete(
            Map<TopicPartition, OffsetAndMetadata> offsets,
            @Nullable OffsetCommitCallback callback,
            @Nullable RuntimeException error) {
        if (callback != null) {
            completed.add(() -> callback.onComplete(offsets, error));
        }
    }

    /** Maps the error of a commit as Kafka's client does. */
    private RuntimeException failed(RuntimeException error, MemberIdentity as) {
        boolean unchanged = as.equals(member.membership());
        boolean joins = !unchanged && member.state() == GroupMember.State.PREPARING_REBALANCE;
        return switch (error) {
            case RebalanceInProgressException e -> {
                member.rejoin();
                yield e;
            }
            case FencedInstanceIdException e when unchanged -> e;
            case FencedInstanceIdException e ->
                joins ? new RebalanceInProgressException(e) : new CommitFailedException();
            case UnknownMemberIdException e -> removed(e, joins, true);
            case IllegalGenerationException e -> removed(e, joins, false);
            default -> error;
        };
    }

    private RuntimeException removed(RuntimeException error, boolean joins, boolean withMemberId) {
        if (joins) {
            return new RebalanceInProgressException(error);
        }
        member.reset(withMemberId);
        return new CommitFailedException();
    }

    private MemberIdentity as() {
        return subscribed.getAsBoolean() ? member.committing() : NO_MEMBER;
    }

    private ClientRequest<Boolean> send(Map<TopicPartition, OffsetAndMetadata> offsets, MemberIdentity as) {
        var commit = new OffsetCommitRequest(
                member.config().group(), as.memberId(), as.instanceId(), as.generation(), new LinkedHashMap<>(offsets));
        return connection.write(() -> {
            groups.commit(commit);
            return true;
        });
    }
}
