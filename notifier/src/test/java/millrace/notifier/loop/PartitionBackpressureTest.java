package millrace.notifier.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import millrace.notifier.NotifierSettings;
import millrace.runtime.settings.Settings;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.junit.jupiter.api.Test;

class PartitionBackpressureTest {
    private final MockConsumer<String, byte[]> consumer = new MockConsumer<>("earliest");
    private final PartitionBackpressure backpressure = new PartitionBackpressure(consumer);
    private final Ownership ownership = new Ownership();
    private final OwnedPartition partition = new OwnedPartition(
            3,
            SourceOffsets.resume(0, ""),
            Settings.sectionOf("notifier", NotifierSettings.class, Map.of()).flow());

    @Test
    void aPartitionWithManyOpenOffsetsPausesUntilHalfOfThemAreReleased() {
        consumer.assign(List.of(partition.source()));
        ownership.add(partition);
        for (int offset = 0; offset < 1500; offset++) {
            assertThat(partition.offsets().take(offset)).isTrue();
        }
        ownership.hasMoved(partition);
        backpressure.decide(ownership);
        assertThat(consumer.paused()).containsExactly(partition.source());

        assertThat(ownership.takeMoved())
                .as("a transaction takes what has moved")
                .containsExactly(partition);
        for (int offset = 0; offset <= 750; offset++) {
            backpressure.decide(ownership);
            assertThat(consumer.paused()).hasSize(1);
            partition.offsets().release(offset);
        }
        backpressure.decide(ownership);
        assertThat(consumer.paused()).isEmpty();
    }

    @Test
    void aPartitionThatIsGoneIsNotLookedAtAgain() {
        consumer.assign(List.of(partition.source()));
        ownership.add(partition);
        for (int offset = 0; offset < 1500; offset++) {
            assertThat(partition.offsets().take(offset)).isTrue();
        }
        ownership.hasMoved(partition);
        backpressure.decide(ownership);
        backpressure.forget(partition.source());
        ownership.drop(partition);
        consumer.assign(List.of());
        assertThat(ownership.moved()).isEmpty();
        backpressure.decide(ownership);
    }
}
