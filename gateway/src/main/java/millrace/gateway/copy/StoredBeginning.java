package millrace.gateway.copy;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import millrace.runtime.kafka.TopicTailer;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Where the reader of a database goes on: where the rows end.
 *
 * @param opening opens the database, and says where each partition begins
 * @param read up to where the rows are made of each partition, once the database is open
 */
public record StoredBeginning(TopicTailer.Beginning opening, Supplier<Map<TopicPartition, OffsetAndMetadata>> read)
        implements TopicTailer.Beginning {
    @Override
    public Map<TopicPartition, Long> offsets(Consumer<String, byte[]> consumer, Collection<TopicPartition> partitions) {
        return opening.offsets(consumer, partitions);
    }

    @Override
    public Optional<Integer> epoch(TopicPartition partition) {
        OffsetAndMetadata position = read.get().get(partition);
        return position == null ? Optional.empty() : position.leaderEpoch();
    }
}
