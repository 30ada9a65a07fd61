package millrace.gateway.copy.activity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Random;
import millrace.contracts.topics.Topics;
import millrace.runtime.kafka.TopicTailer;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class ActivityReaderTest {
    /** Whatever it is: the thread goes on, with the offsets that the store has. */
    @Test
    void startsOverAfterAnError() {
        try (var folded = new FoldedHistory(new SampleHistory(5, 20, KeptDays.EVENTS), () -> SampleHistory.NOW);
                var reader = new ActivityReader(KafkaSettings.local("localhost:1", 3, "test"), folded.store())) {
            folded.all(new Random(1));
            Positions before = folded.store().end();
            var partition = new TopicPartition(Topics.REPORT_STATUS.name(), 0);
            ConsumerRecord<String, byte[]> withoutKey =
                    new ConsumerRecord<>(partition.topic(), 0, 1_000_000, null, new byte[] {1});
            var records = new ConsumerRecords<>(Map.of(partition, List.of(withoutKey)), Map.of());
            assertThatThrownBy(() -> reader.fold(records, Map.of(partition, 1_000_001L)))
                    .isInstanceOf(TopicTailer.StartOver.class)
                    .hasMessageStartingWith("records cannot be folded into the activity store: ");
            assertThat(folded.store().end()).isEqualTo(before);
            folded.reopen();
            assertThat(folded.rebuilt()).isNull();
        }
    }
}
