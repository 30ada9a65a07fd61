package millrace.notifier.ownership;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Pauses partitions whose events arrive faster than they can be handled. Where too many events are held in total, only
 * the partitions that hold more than their share are paused, so that one flooded endpoint delays at most its own
 * partition.
 */
public final class PartitionBackpressure {
    /** Greatest number of open offsets of a partition. */
    private static final int MAX_OPEN = 1500;

    private final Consumer<String, byte[]> consumer;
    private final int heldEvents;
    private final Set<TopicPartition> paused = new HashSet<>();

    public PartitionBackpressure(Consumer<String, byte[]> consumer, int heldEvents) {
        this.consumer = consumer;
        this.heldEvents = heldEvents;
    }

    public void decide(Ownership ownership) {
        boolean full = ownership.held() >= heldEvents;
        int share = heldEvents / Math.max(1, ownership.partitions().size());
        ownership.partitions().values().forEach(partition -> {
            int open = partition.offsets().open();
            TopicPartition source = partition.source();
            boolean greedy = full && partition.held() >= share;
            if (greedy || open >= MAX_OPEN) {
                if (paused.add(source)) {
                    consumer.pause(List.of(source));
                }
            } else if (open < MAX_OPEN / 2 && paused.remove(source)) {
                consumer.resume(List.of(source));
            }
        });
    }

    public void forget(TopicPartition partition) {
        paused.remove(partition);
    }
}
