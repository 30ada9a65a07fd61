package millrace.simulation.kafka.consumer;

import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import millrace.simulation.kafka.broker.Broker;
import millrace.simulation.kafka.broker.TopicMetadata;
import millrace.simulation.kafka.network.ClientRequest;
import millrace.simulation.kafka.network.Connection;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/** Sends lookups to the broker and waits for the answers. */
final class BrokerLookups {
    private final Connection connection;
    private final Broker broker;
    private final WakeupFlag wakeup;

    BrokerLookups(Connection connection, Broker broker, WakeupFlag wakeup) {
        this.connection = connection;
        this.broker = broker;
        this.wakeup = wakeup;
    }

    /** The committed offsets; null for partitions without one. Waits for transactions with pending offsets. */
    Map<TopicPartition, OffsetAndMetadata> committed(String group, Set<TopicPartition> partitions, Duration timeout) {
        Set<TopicPartition> asked = TopicMetadata.sorted(partitions);
        Map<TopicPartition, OffsetAndMetadata> found =
                answer(() -> broker.groups().offsets(group).fetch(asked), timeout);
        Map<TopicPartition, OffsetAndMetadata> all = new LinkedHashMap<>();
        asked.forEach(partition -> all.put(partition, found.get(partition)));
        return all;
    }

    List<PartitionInfo> partitions(String topic, Duration timeout) {
        return answer(() -> TopicMetadata.partitions(broker.logs(), topic), timeout);
    }

    Map<TopicPartition, Long> offsets(
            Collection<TopicPartition> partitions, ToLongFunction<TopicPartition> offset, Duration timeout) {
        return answer(
                () -> {
                    Map<TopicPartition, Long> offsets = new LinkedHashMap<>();
                    TopicMetadata.sorted(partitions).forEach(p -> offsets.put(p, offset.applyAsLong(p)));
                    return offsets;
                },
                timeout);
    }

    private <T> T answer(Supplier<T> operation, Duration timeout) {
        ClientRequest<T> request = connection.ask(operation);
        boolean done =
                connection.await(() -> wakeup.throwsOr(request.isDone()), connection.deadline(timeout.toNanos()));
        if (!done) {
            request.abandon();
            throw new TimeoutException("Timeout of " + timeout + " expired before the broker answered");
        }
        return request.get();
    }
}
