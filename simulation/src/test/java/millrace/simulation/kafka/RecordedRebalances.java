package millrace.simulation.kafka;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.common.TopicPartition;

/** Records the calls of a rebalance listener. */
final class RecordedRebalances implements ConsumerRebalanceListener {
    final List<String> calls = new ArrayList<>();

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
        add("assigned", partitions);
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
        add("revoked", partitions);
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
        add("lost", partitions);
    }

    private void add(String what, Collection<TopicPartition> partitions) {
        calls.add(what
                + partitions.stream().map(TopicPartition::partition).sorted().toList());
    }
}
