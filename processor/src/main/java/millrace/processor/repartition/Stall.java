package millrace.processor.repartition;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;

/** Notices that a consumer has not moved for long. */
final class Stall {
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private final List<TopicPartition> partitions;
    private long positions = -1;
    private long movedAt = System.nanoTime();

    Stall(Collection<TopicPartition> partitions) {
        this.partitions = List.copyOf(partitions);
    }

    /** @throws RepartitionException if it has not */
    void check(Consumer<byte[], byte[]> consumer) {
        long now = 0;
        for (TopicPartition partition : partitions) {
            now += consumer.position(partition);
        }
        if (now != positions) {
            positions = now;
            movedAt = System.nanoTime();
        } else if (System.nanoTime() - movedAt > LONGEST.toNanos()) {
            throw new RepartitionException(
                    "Kafka gives no more records of " + partitions.getFirst().topic() + " for " + LONGEST.toSeconds()
                            + " s; does each of its partitions have a leader?");
        }
    }
}
