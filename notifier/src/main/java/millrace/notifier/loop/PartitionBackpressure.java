package millrace.notifier.loop;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Pauses a partition while too many of its offsets are open: which of them are open is part of each commit, and no
 * event is saved within its first 250 ms. All of them are saved or ended within 3 s and a commit, whatever their
 * endpoints do, so no partition pauses for longer. What waits for longer is not open.
 */
final class PartitionBackpressure {
    /** Greatest number of open offsets of a partition. */
    private static final int MAX_OPEN = 1500;

    private final Consumer<String, byte[]> consumer;
    private final Set<OwnedPartition> paused = new LinkedHashSet<>();

    PartitionBackpressure(Consumer<String, byte[]> consumer) {
        this.consumer = consumer;
    }

    /** Looks at what has moved since the last commit began, and at what is paused. */
    void decide(Ownership ownership) {
        for (OwnedPartition partition : ownership.moved()) {
            if (partition.offsets().open() >= MAX_OPEN && paused.add(partition)) {
                consumer.pause(List.of(partition.source()));
            }
        }
        for (OwnedPartition partition : List.copyOf(paused)) {
            if (partition.offsets().open() < MAX_OPEN / 2) {
                paused.remove(partition);
                consumer.resume(List.of(partition.source()));
            }
        }
    }

    void forget(TopicPartition source) {
        paused.removeIf(partition -> partition.source().equals(source));
    }
}
