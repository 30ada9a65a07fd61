package millrace.gateway.copy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class ReadOffsetsTest {
    private static final List<Topic<?>> COPIED = List.of(Topics.REPORT_STATUS);
    private static final TopicPartition FIRST = new TopicPartition(Topics.REPORT_STATUS.name(), 0);
    private static final TopicPartition SECOND = new TopicPartition(Topics.REPORT_STATUS.name(), 1);
    private static final TopicPartition OTHER = new TopicPartition(Topics.ACCOUNT_COMMANDS.name(), 0);

    @Test
    void followTheLastRecordOfEachCopiedPartition() {
        assertThat(ReadOffsets.after(polled(Map.of(FIRST, List.of(4L, 7L), OTHER, List.of(2L))), COPIED))
                .isEqualTo(Map.of(FIRST, at(8)));
    }

    @Test
    void stayWhereNothingWasPolled() {
        assertThat(ReadOffsets.moved(Map.of(FIRST, at(3), SECOND, at(5)), Map.of(FIRST, at(8))))
                .isEqualTo(Map.of(FIRST, at(8), SECOND, at(5)));
    }

    @Test
    void haveDivergedWhereTheConsumerHasGoneBack() {
        Map<TopicPartition, OffsetAndMetadata> read = Map.of(FIRST, at(8));
        assertThat(ReadOffsets.diverged(read, polled(Map.of(FIRST, List.of(8L, 9L))), Map.of(FIRST, 10L)))
                .isNull();
        assertThat(ReadOffsets.diverged(read, polled(Map.of(FIRST, List.of(6L, 9L))), Map.of(FIRST, 10L)))
                .isEqualTo("report-status-0 went back from offset 8 to 6");
        assertThat(ReadOffsets.diverged(read, polled(Map.of()), Map.of(FIRST, 5L)))
                .isEqualTo("report-status-0 went back from offset 8 to 5");
        assertThat(ReadOffsets.diverged(read, polled(Map.of()), Map.of())).isNull();
    }

    private static OffsetAndMetadata at(long offset) {
        return new OffsetAndMetadata(offset, Optional.of(4), "");
    }

    private static ConsumerRecords<String, byte[]> polled(Map<TopicPartition, List<Long>> offsets) {
        Map<TopicPartition, List<ConsumerRecord<String, byte[]>>> records = new HashMap<>();
        offsets.forEach((partition, some) -> records.put(
                partition,
                some.stream().map(offset -> record(partition, offset)).toList()));
        return new ConsumerRecords<>(records, Map.of());
    }

    private static ConsumerRecord<String, byte[]> record(TopicPartition partition, long offset) {
        return new ConsumerRecord<>(
                partition.topic(),
                partition.partition(),
                offset,
                0,
                TimestampType.CREATE_TIME,
                0,
                0,
                "key",
                new byte[0],
                new RecordHeaders(),
                Optional.of(4));
    }
}
