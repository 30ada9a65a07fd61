package millrace.processor.repartition;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class MergedRecordsTest {
    private static final String TOPIC = "t";

    private final MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");

    @Test
    void mergesByTimeAndKeepsTheOrderOfPartitions() {
        assertThat(read(Map.of(0, List.of(1L, 5L, 4L), 1, List.of(2L, 3L, 9L), 2, List.of()), (p, o) -> 0))
                .containsExactly("0.0@1", "1.0@2", "1.1@3", "0.1@5", "0.2@4", "1.2@9");
    }

    @Test
    void lowerLevelsComeFirst() {
        assertThat(read(Map.of(0, List.of(1L, 2L), 1, List.of(8L, 9L)), (partition, offset) -> offset < 1 ? 0 : 1))
                .containsExactly("0.0@1", "1.0@8", "0.1@2", "1.1@9");
    }

    private List<String> read(Map<Integer, List<Long>> times, MergedRecords.Level level) {
        Map<TopicPartition, Long> ends = new HashMap<>();
        Map<TopicPartition, Long> beginnings = new HashMap<>();
        times.forEach((partition, records) -> {
            ends.put(new TopicPartition(TOPIC, partition), (long) records.size());
            beginnings.put(new TopicPartition(TOPIC, partition), 0L);
        });
        consumer.updateBeginningOffsets(beginnings);
        consumer.updateEndOffsets(ends);
        consumer.schedulePollTask(() -> times.forEach((partition, records) -> IntStream.range(0, records.size())
                .forEach(offset -> consumer.addRecord(record(partition, offset, records.get(offset))))));
        var merged = new MergedRecords(consumer, ends, level);
        List<String> read = new ArrayList<>();
        for (var record = merged.next(); record != null; record = merged.next()) {
            read.add(record.partition() + "." + record.offset() + "@" + record.timestamp());
        }
        return read;
    }

    private static ConsumerRecord<byte[], byte[]> record(int partition, long offset, long time) {
        byte[] text = "x".getBytes(UTF_8);
        return new ConsumerRecord<>(
                TOPIC,
                partition,
                offset,
                time,
                TimestampType.CREATE_TIME,
                1,
                1,
                text,
                text,
                new RecordHeaders(),
                Optional.empty());
    }
}
