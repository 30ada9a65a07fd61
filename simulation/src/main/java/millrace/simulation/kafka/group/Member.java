package millrace.simulation.kafka.group;

import java.util.List;
import java.util.Objects;
import millrace.simulation.kafka.network.ResponseCallback;
import millrace.simulation.kernel.Timer;
import org.apache.kafka.clients.consumer.ConsumerPartitionAssignor.Subscription;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.protocol.Errors;
import org.jspecify.annotations.Nullable;

/** A member of a group. */
final class Member {
    final String id;
    final @Nullable String instanceId;
    final JoinRequest.Timeouts timeouts;
    Subscription subscription;
    List<TopicPartition> assignment = List.of();
    /** The pending answer to a join request. */
    @Nullable
    ResponseCallback<JoinResponse> joining;
    /** The pending answer to a sync request. */
    @Nullable
    ResponseCallback<List<TopicPartition>> syncing;

    @Nullable
    Timer session;

    Member(String id, JoinRequest join) {
        this.id = id;
        this.instanceId = join.instanceId();
        this.timeouts = join.timeouts();
        this.subscription = join.subscription();
    }

    /** Whether the subscription is the same as at the last join. */
    boolean matches(Subscription other) {
        return subscription.topics().equals(other.topics())
                && subscription.ownedPartitions().equals(other.ownedPartitions())
                && subscription.generationId().equals(other.generationId())
                && Objects.equals(subscription.userData(), other.userData());
    }

    void answerJoin(JoinResponse joined) {
        ResponseCallback<JoinResponse> waiting = joining;
        joining = null;
        if (waiting != null) {
            waiting.value(joined);
        }
    }

    void answerSync() {
        ResponseCallback<List<TopicPartition>> waiting = syncing;
        syncing = null;
        if (waiting != null) {
            waiting.value(assignment);
        }
    }

    void fail(Errors error) {
        if (joining != null) {
            joining.error(error.exception());
            joining = null;
        }
        failSync(error);
    }

    void failSync(Errors error) {
        if (syncing != null) {
            syncing.error(error.exception());
            syncing = null;
        }
    }

    void endSession() {
        if (session != null) {
            session.cancel();
            session = null;
        }
    }
}
