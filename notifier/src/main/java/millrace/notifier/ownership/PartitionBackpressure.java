package millrace.notifier.ownership;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Pauses a partition while too many of its offsets are open: which of them are open is part of each commit, and no
 * event is saved within its first 250 ms. All of them are saved or ended within 3 s and a commit, whatever their
 * endpoints do, so no partition pauses for longer. What waits for longer is not open.
 */
public final class PartitionBackpressure {
    /** Greatest number of open offsets of a partition. */
    private static final int MAX_OPEN = 1500;

    private final Consumer<String, byte[]> consumer;
    private final Set<TopicPartition> paused = new HashSet<>();

    public PartitionBackpressure(Consumer<String, byte[]> consumer) {
        this.consumer = consumer;
    }

    public void decide(Ownership ownership) {
        ownership.partitions().values().forEach(partition -> {
            int open = partition.offsets().open();
            TopicPartition source = partition.source();
            if (open >= MAX_OPEN) {
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
