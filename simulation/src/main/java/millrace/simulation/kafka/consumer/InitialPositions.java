package millrace.simulation.kafka.consumer;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import millrace.simulation.kafka.broker.Broker;
import millrace.simulation.kafka.network.ClientConfig;
import millrace.simulation.kafka.network.ClientRequest;
import millrace.simulation.kafka.network.Connection;
import org.apache.kafka.clients.consumer.NoOffsetForPartitionException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Looks up the first positions of assigned partitions: the committed offset of the group, else as {@code
 * auto.offset.reset} says.
 */
final class InitialPositions {
    private final Connection connection;
    private final Broker broker;
    private final ConsumerPositions positions;
    private final @Nullable String group;
    private final String reset;
    private final boolean readCommitted;
    private List<TopicPartition> asked = List.of();
    private @Nullable ClientRequest<Map<TopicPartition, Long>> request;

    InitialPositions(Connection connection, Broker broker, ConsumerPositions positions, ClientConfig config) {
        this.connection = connection;
        this.broker = broker;
        this.positions = positions;
        this.group = config.text("group.id");
        this.reset = config.text("auto.offset.reset", "latest");
        this.readCommitted = config.readCommitted();
    }

    /** Requests unknown positions and handles answers. Does not block. */
    void advance() {
        if (request != null && request.isDone()) {
            Map<TopicPartition, Long> found = request.get();
            request = null;
            positions.unknown().stream()
                    .filter(found::containsKey)
                    .forEach(p -> positions.seek(p, found.getOrDefault(p, 0L)));
        }
        List<TopicPartition> unknown = positions.unknown();
        if (unknown.isEmpty() || (request != null && asked.containsAll(unknown))) {
            return;
        }
        if (request != null) {
            request.abandon();
        }
        asked = unknown;
        request = connection.ask(() -> lookUp(unknown));
    }

    private Map<TopicPartition, Long> lookUp(List<TopicPartition> partitions) {
        Map<TopicPartition, OffsetAndMetadata> committed =
                group == null ? Map.of() : broker.groups().offsets(group).fetch(partitions);
        Map<TopicPartition, Long> found = new LinkedHashMap<>();
        for (TopicPartition partition : partitions) {
            OffsetAndMetadata offset = committed.get(partition);
            found.put(partition, offset == null ? reset(partition) : offset.offset());
        }
        return found;
    }

    private long reset(TopicPartition partition) {
        return switch (reset) {
            case "earliest" -> 0;
            case "latest" ->
                readCommitted
                        ? broker.logs().lastStable(partition)
                        : broker.logs().end(partition);
            default -> throw new NoOffsetForPartitionException(partition);
        };
    }
}
