package millrace.simulation.ledger;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import millrace.runtime.kafka.KafkaClientFactory;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Restores the state of tasks from the committed records of their changelogs. A task is restored once it has read
 * everything up to the end of the changelog at the begin of the restore, so it waits for open transactions.
 */
final class Changelog {
    private final Consumer<String, byte[]> consumer;
    private final Admin admin;
    private final Map<TopicPartition, Long> ends = new HashMap<>();

    Changelog(KafkaClientFactory clients, LedgerConfig config) {
        this.consumer = clients.consumer(config.restoreConsumer());
        this.admin = clients.admin(config.mainConsumer());
    }

    /**
     * Reads changelogs for at most this time.
     *
     * @return the tasks that are restored now
     */
    List<LedgerTask> restore(Collection<LedgerTask> tasks, Duration timeout) {
        Map<TopicPartition, LedgerTask> byChangelog = new HashMap<>();
        tasks.forEach(task -> byChangelog.put(task.changelog(), task));
        begin(byChangelog);
        for (ConsumerRecord<String, byte[]> record : consumer.poll(timeout)) {
            LedgerTask task = byChangelog.get(new TopicPartition(record.topic(), record.partition()));
            if (task != null) {
                task.store().restore(record.key(), record.value());
            }
        }
        List<LedgerTask> restored = new ArrayList<>();
        for (LedgerTask task : tasks) {
            if (consumer.position(task.changelog()) >= ends.getOrDefault(task.changelog(), Long.MAX_VALUE)) {
                restored.add(task);
            }
        }
        restored.forEach(task -> forget(List.of(task)));
        return restored;
    }

    /** Stops restoring these tasks. */
    void forget(Collection<LedgerTask> tasks) {
        tasks.forEach(task -> ends.remove(task.changelog()));
        consumer.assign(ends.keySet());
    }

    void close() {
        consumer.close();
        admin.close();
    }

    private void begin(Map<TopicPartition, LedgerTask> tasks) {
        for (TopicPartition changelog : tasks.keySet()) {
            if (!ends.containsKey(changelog)) {
                ends.put(changelog, end(changelog));
                consumer.assign(ends.keySet());
                consumer.seekToBeginning(List.of(changelog));
            }
        }
    }

    /** The end of the changelog, including open transactions. */
    private long end(TopicPartition changelog) {
        try {
            return admin.listOffsets(Map.of(changelog, OffsetSpec.latest()))
                    .partitionResult(changelog)
                    .get()
                    .offset();
        } catch (ExecutionException e) {
            throw new IllegalStateException("the end of " + changelog + " is not known", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
