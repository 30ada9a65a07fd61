package millrace.processor.retention;

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.topics.ConsumerGroups;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.runtime.KafkaFutures;
import millrace.runtime.repartition.RepartitionLog;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;

/** Looks up reports by reading the topic of statuses from its beginning to its end. */
final class TopicStatusLookup implements StatusLookup {
    /** Some of the last records of a partition are the ends of transactions, which no consumer gets. */
    private static final int LAST_RECORDS = 100;

    private static final int FEW_BYTES = 64 * 1024;

    private final KafkaSettings kafka;
    private final Duration timeout;

    /** @param timeout how long to wait for a ledger that is behind, and for records of its topic */
    TopicStatusLookup(KafkaSettings kafka, Duration timeout) {
        this.kafka = kafka;
        this.timeout = timeout;
    }

    @Override
    public StatusLookup.Known of(Collection<UUID> reports, @Nullable LedgerMark mark) throws IOException {
        try (Admin admin = Admin.create(kafka.clientConfig())) {
            Map<TopicPartition, Long> commands = ends(admin, described(admin, Topics.ACCOUNT_COMMANDS));
            if (!reports.isEmpty() && commands.values().stream().allMatch(end -> end == 0)) {
                throw new SweepRefusedException(
                        "there are files, and this Kafka is new: it has not seen a single command."
                                + " Each Kafka needs a report store of its own (storage.reports)");
            }
            awaitTaken(admin, commands);
            TopicDescription statuses = described(admin, Topics.REPORT_STATUS);
            String cluster = get(admin.describeCluster().clusterId());
            var history = new LedgerHistory(
                    cluster, statuses.topicId().toString(), mark == null ? null : moved(mark, cluster, statuses));
            // The ends for read_uncommitted: with read_committed an open transaction hides records that others have
            // committed after its start.
            return read(new HashSet<>(reports), ends(admin, statuses), history);
        }
    }

    @Override
    public LedgerMark mark(LedgerMark mark) throws IOException {
        try (Admin admin = Admin.create(kafka.clientConfig())) {
            TopicDescription statuses = described(admin, Topics.REPORT_STATUS);
            String cluster = get(admin.describeCluster().clusterId());
            LedgerMark before = moved(mark, cluster, statuses);
            var history = new LedgerHistory(cluster, statuses.topicId().toString(), before);
            Map<TopicPartition, Long> ends = ends(admin, statuses);
            Map<Integer, LedgerMark.Place> places = new HashMap<>(before.places());
            places.putAll(marked(ends, before, history).places());
            return new LedgerMark(before.cluster(), before.topic(), places);
        }
    }

    /**
     * The mark, for the topic as it is now. After a change of the number of partitions the topic is a copy of that of the
     * mark, and has other offsets.
     */
    private LedgerMark moved(LedgerMark mark, String cluster, TopicDescription statuses) {
        String id = statuses.topicId().toString();
        if (!mark.cluster().equals(cluster) || mark.topic().equals(id)) {
            return mark;
        }
        boolean same = RepartitionLog.read(kafka)
                .state()
                .filter(state -> state.phase().isUsable())
                .map(state -> state.same(statuses.name(), mark.topic(), id))
                .orElse(false);
        return same ? new LedgerMark(cluster, id, Map.of(), mark.listedAt()) : mark;
    }

    /** Reads the record of the mark, and the last records, of each partition. */
    private LedgerMark marked(Map<TopicPartition, Long> ends, LedgerMark before, LedgerHistory history)
            throws IOException {
        Map<String, Object> config = consumerConfig();
        config.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, FEW_BYTES);
        try (var consumer = new KafkaConsumer<>(config, new StringDeserializer(), new ByteArrayDeserializer())) {
            for (Map.Entry<TopicPartition, Long> entry : ends.entrySet()) {
                TopicPartition partition = entry.getKey();
                long end = entry.getValue();
                LedgerMark.Place place = before.places().get(partition.partition());
                long known = place == null ? 0 : place.offset();
                consumer.assign(List.of(partition));
                if (place != null && known < end) {
                    consumer.seek(partition, known);
                    readTo(consumer, Map.of(partition, known + 1), record -> read(history, record));
                }
                consumer.seek(partition, Math.max(known, end - LAST_RECORDS));
                readTo(consumer, Map.of(partition, end), record -> read(history, record));
            }
        }
        return history.read(partitions(ends));
    }

    private static void read(LedgerHistory history, ConsumerRecord<String, byte[]> record)
            throws SweepRefusedException {
        history.read(record.partition(), record.offset(), record.timestamp());
    }

    private void awaitTaken(Admin admin, Map<TopicPartition, Long> ends) throws IOException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (!isTaken(admin, ends)) {
            if (System.nanoTime() > deadline) {
                throw new IOException("the ledger is behind its commands");
            }
            LockSupport.parkNanos(100_000_000);
            if (Thread.interrupted()) {
                throw new InterruptException("interrupted");
            }
        }
    }

    private static boolean isTaken(Admin admin, Map<TopicPartition, Long> ends) {
        Map<TopicPartition, OffsetAndMetadata> taken =
                get(admin.listConsumerGroupOffsets(ConsumerGroups.PROCESSOR).partitionsToOffsetAndMetadata());
        return ends.entrySet().stream().allMatch(end -> {
            OffsetAndMetadata offset = taken.get(end.getKey());
            return end.getValue() == 0 || (offset != null && offset.offset() >= end.getValue());
        });
    }

    private static TopicDescription described(Admin admin, Topic<?> topic) {
        return Objects.requireNonNull(
                get(admin.describeTopics(List.of(topic.name())).allTopicNames()).get(topic.name()));
    }

    private static Map<TopicPartition, Long> ends(Admin admin, TopicDescription topic) {
        Map<TopicPartition, OffsetSpec> latest = topic.partitions().stream()
                .collect(Collectors.toMap(
                        p -> new TopicPartition(topic.name(), p.partition()), p -> OffsetSpec.latest()));
        return get(admin.listOffsets(latest).all()).entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, e -> e.getValue().offset()));
    }

    private static <T> T get(KafkaFuture<T> future) {
        return KafkaFutures.get(future, Duration.ofSeconds(10));
    }

    private StatusLookup.Known read(Set<UUID> wanted, Map<TopicPartition, Long> ends, LedgerHistory history)
            throws IOException {
        Map<UUID, ReportStatus> found = new HashMap<>();
        try (var consumer =
                new KafkaConsumer<>(consumerConfig(), new StringDeserializer(), new ByteArrayDeserializer())) {
            consumer.assign(ends.keySet());
            consumer.seekToBeginning(ends.keySet());
            readTo(consumer, ends, record -> {
                read(history, record);
                fold(record, wanted, found);
            });
        }
        return new StatusLookup.Known(found, history.read(partitions(ends)));
    }

    private Map<String, Object> consumerConfig() {
        Map<String, Object> config = kafka.clientConfig();
        config.put(ConsumerConfig.CLIENT_ID_CONFIG, kafka.instanceId() + "-sweeper");
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        return config;
    }

    private interface RecordReader {
        void read(ConsumerRecord<String, byte[]> record) throws IOException;
    }

    /** Reads on in the assigned partitions until each has come to its offset. */
    private void readTo(KafkaConsumer<String, byte[]> consumer, Map<TopicPartition, Long> offsets, RecordReader reader)
            throws IOException {
        long lastRecordAt = System.nanoTime();
        while (offsets.entrySet().stream().anyMatch(e -> consumer.position(e.getKey()) < e.getValue())) {
            var records = consumer.poll(Duration.ofMillis(500));
            for (ConsumerRecord<String, byte[]> record : records) {
                reader.read(record);
            }
            lastRecordAt = records.isEmpty() ? lastRecordAt : System.nanoTime();
            if (System.nanoTime() - lastRecordAt > timeout.toNanos()) {
                throw new IOException("the statuses of reports cannot be read to their end");
            }
        }
    }

    private static Map<Integer, Long> partitions(Map<TopicPartition, Long> ends) {
        return ends.entrySet().stream().collect(Collectors.toMap(e -> e.getKey().partition(), Map.Entry::getValue));
    }

    private static void fold(ConsumerRecord<String, byte[]> record, Set<UUID> wanted, Map<UUID, ReportStatus> found) {
        UUID report = UUID.fromString(record.key().substring(record.key().lastIndexOf('/') + 1));
        if (wanted.contains(report)) {
            if (record.value() == null) {
                found.remove(report);
            } else {
                found.put(report, Topics.REPORT_STATUS.decode(record.value()));
            }
        }
    }
}
