package millrace.gateway.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PartitionReaderTest {
    private static final TopicPartition PARTITION = new TopicPartition("credit-ledger", 0);

    private final MockConsumer<String, byte[]> consumer = new MockConsumer<>("earliest");

    @Test
    void readsToTheEndThatThereWas() {
        ends(3);
        consumer.schedulePollTask(() -> {
            record(0, "acme");
            record(1, "other");
        });
        consumer.schedulePollTask(() -> record(2, "acme"));
        List<Long> offsets = new ArrayList<>();
        assertThat(PartitionReader.read(
                        consumer, PARTITION, null, Duration.ofSeconds(10), record -> offsets.add(record.offset())))
                .isTrue();
        assertThat(offsets).containsExactly(0L, 1L, 2L);
    }

    @Test
    @Timeout(10)
    void whatKafkaDoesNotSendIsNotWaitedForForEver() {
        ends(4);
        consumer.schedulePollTask(() -> record(0, "acme"));
        assertThatThrownBy(() -> PartitionReader.read(consumer, PARTITION, null, Duration.ofMillis(300), record -> {}))
                .isInstanceOf(TimeoutException.class)
                .hasMessageContaining("credit-ledger-0");
    }

    private void ends(long end) {
        consumer.updateBeginningOffsets(Map.of(PARTITION, 0L));
        consumer.updateEndOffsets(Map.of(PARTITION, end));
    }

    private void record(long offset, String account) {
        consumer.addRecord(new ConsumerRecord<>(
                PARTITION.topic(), PARTITION.partition(), offset, account, new byte[] {(byte) offset}));
    }
}
