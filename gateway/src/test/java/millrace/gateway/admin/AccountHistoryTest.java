package millrace.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class AccountHistoryTest {
    private static final TopicPartition PARTITION = new TopicPartition("credit-ledger", 0);

    private final MockConsumer<String, byte[]> consumer = new MockConsumer<>("earliest");

    @Test
    void theNewestOfTheAccountComeFirst() {
        ends(4);
        consumer.schedulePollTask(() -> {
            record(0, "acme");
            record(1, "other");
            record(2, "acme");
            record(3, "acme");
        });
        assertThat(AccountHistory.newest(consumer, PARTITION, "acme", 2, Duration.ofSeconds(10)))
                .containsExactly(new byte[] {3}, new byte[] {2});
    }

    @Test
    @Timeout(10)
    void whatKafkaDoesNotSendIsNotWaitedForForEver() {
        ends(4);
        consumer.schedulePollTask(() -> record(0, "acme"));
        assertThatThrownBy(() -> AccountHistory.newest(consumer, PARTITION, "acme", 2, Duration.ofMillis(300)))
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
