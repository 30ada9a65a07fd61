package millrace.simulation.kafka.consumer;

import java.util.Collection;
import java.util.Optional;
import java.util.SortedSet;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/** Calls a rebalance listener and keeps the first exception of several calls. */
final class RebalanceCallbacks {
    private final Optional<ConsumerRebalanceListener> listener;
    private @Nullable Exception first;

    RebalanceCallbacks(Optional<ConsumerRebalanceListener> listener) {
        this.listener = listener;
    }

    void assigned(SortedSet<TopicPartition> partitions) {
        call(ConsumerRebalanceListener::onPartitionsAssigned, partitions);
    }

    void revoked(SortedSet<TopicPartition> partitions) {
        call(ConsumerRebalanceListener::onPartitionsRevoked, partitions);
    }

    void lost(SortedSet<TopicPartition> partitions) {
        call(ConsumerRebalanceListener::onPartitionsLost, partitions);
    }

    /** Throws the exception of the first failed call, wrapped as Kafka does. */
    void rethrow() {
        Exception error = first;
        first = null;
        if (error != null) {
            throw new KafkaException("User rebalance callback throws an error", error);
        }
    }

    private void call(
            BiConsumer<ConsumerRebalanceListener, Collection<TopicPartition>> method,
            SortedSet<TopicPartition> partitions) {
        try {
            listener.ifPresent(called -> method.accept(called, partitions));
        } catch (WakeupException | InterruptException e) {
            throw e;
        } catch (RuntimeException e) {
            first = first == null ? e : first;
        }
    }
}
