package millrace.gateway.copy;

import jakarta.annotation.PreDestroy;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import millrace.runtime.kafka.FoldedOffsets;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/**
 * Asks Kafka for the end offsets of partitions. Open transactions count: a record that was
 * acknowledged behind one is below the end, but consumers that read committed records reach it only
 * when that transaction has ended.
 */
@Singleton
public final class PartitionEnds {
    private final Admin admin;

    PartitionEnds(KafkaSettings kafka) {
        Map<String, Object> config = kafka.clientConfig();
        config.put("client.id", kafka.instanceId() + "-ends");
        this.admin = Admin.create(config);
    }

    /**
     * Waits until what is in the partitions now has been read.
     *
     * @param timeout of Kafka's answer, and then of the reader
     * @return false if either takes longer
     */
    public boolean awaitRead(Collection<TopicPartition> partitions, FoldedOffsets read, Duration timeout)
            throws InterruptedException {
        try {
            Map<TopicPartition, Long> ends = ends(partitions).get(timeout.toMillis(), TimeUnit.MILLISECONDS);
            return read.await(() -> read.hasReached(ends), timeout);
        } catch (ExecutionException | TimeoutException e) {
            return false;
        }
    }

    /** The ends of all partitions, by one request to each broker. */
    public CompletableFuture<Map<TopicPartition, Long>> ends(Collection<TopicPartition> partitions) {
        Map<TopicPartition, OffsetSpec> latest = new HashMap<>();
        partitions.forEach(partition -> latest.put(partition, OffsetSpec.latest()));
        return admin.listOffsets(latest)
                .all()
                .toCompletionStage()
                .toCompletableFuture()
                .thenApply(ends -> {
                    Map<TopicPartition, Long> offsets = new HashMap<>();
                    ends.forEach((partition, end) -> offsets.put(partition, end.offset()));
                    return offsets;
                });
    }

    @PreDestroy
    void close() {
        admin.close(Duration.ofSeconds(1));
    }
}
