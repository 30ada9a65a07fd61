package millrace.gateway.copy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import millrace.contracts.topics.Topic;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;

/** Reads the newest records of one partition when somebody asks. */
public final class PartitionReader {
    /** Of a partition that many accounts share: more would take seconds. */
    static final int NEWEST_RECORDS = 200_000;

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration POLL = Duration.ofMillis(500);
    private static final int POLL_RECORDS = 5_000;

    private PartitionReader() {}

    /**
     * Reads what there is of an account, with a consumer of its own. Blocks up to 10 s.
     *
     * @param purpose part of the consumer's name
     * @param since null for as many records as may be read
     * @param record called with each record of the account that has a value
     * @return whether all records since then were read, and not only the newest
     * @throws KafkaException if Kafka does not send them in time
     */
    public static boolean read(
            KafkaSettings kafka,
            String purpose,
            Topic<?> topic,
            String accountId,
            @Nullable Instant since,
            java.util.function.Consumer<ConsumerRecord<String, byte[]>> record) {
        Map<String, Object> config = kafka.clientConfig();
        config.put(ConsumerConfig.CLIENT_ID_CONFIG, kafka.instanceId() + "-" + purpose);
        config.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, POLL_RECORDS);
        config.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, Math.toIntExact(TIMEOUT.toMillis()));
        var consumer = new KafkaConsumer<>(config, new StringDeserializer(), new ByteArrayDeserializer());
        try {
            int partitions = consumer.partitionsFor(topic.name()).size();
            var partition = new TopicPartition(topic.name(), Topic.partition(accountId, partitions));
            return read(consumer, partition, since, TIMEOUT, found -> {
                if (accountId.equals(found.key()) && found.value() != null) {
                    record.accept(found);
                }
            });
        } finally {
            // As in TopicTailer: a farewell would wait behind the last fetch, for half a second of somebody's request.
            consumer.close(CloseOptions.timeout(Duration.ZERO));
        }
    }

    /** Reads to the end of the partition, as it is at the beginning. */
    static boolean read(
            Consumer<String, byte[]> consumer,
            TopicPartition partition,
            @Nullable Instant since,
            Duration timeout,
            java.util.function.Consumer<ConsumerRecord<String, byte[]>> record) {
        long deadline = System.nanoTime() + timeout.toNanos();
        List<TopicPartition> one = List.of(partition);
        consumer.assign(one);
        long end = consumer.endOffsets(one).getOrDefault(partition, 0L);
        long begin = consumer.beginningOffsets(one).getOrDefault(partition, 0L);
        if (since != null) {
            OffsetAndTimestamp found = consumer.offsetsForTimes(Map.of(partition, since.toEpochMilli()))
                    .get(partition);
            begin = Math.max(begin, found == null ? end : found.offset());
        }
        long first = Math.max(begin, end - NEWEST_RECORDS);
        consumer.seek(partition, first);
        while (consumer.position(partition) < end) {
            if (System.nanoTime() > deadline) {
                throw new TimeoutException(partition + " could not be read within " + timeout);
            }
            consumer.poll(POLL).forEach(record);
        }
        return first == begin;
    }
}
