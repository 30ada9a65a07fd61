package millrace.notifier.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import millrace.notifier.NotifierSettings;
import millrace.notifier.loop.BacklogReader.Wanted;
import millrace.runtime.service.ServiceThreads;
import millrace.runtime.settings.Settings;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.Test;

class BacklogReaderTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private final ServiceThreads threads = ServiceThreads.ofMachine();
    private final Mailbox mailbox = new Mailbox(new MockConsumer<>("earliest"), threads);
    private final OwnedPartition partition = new OwnedPartition(
            0,
            SourceOffsets.resume(0, ""),
            Settings.sectionOf("notifier", NotifierSettings.class, Map.of()).flow());

    /** Offsets 10, 11, 12, …, of the endpoints a, b, c in turn. */
    private LoopMessage.BacklogRead read(long from, long end, Map<String, Wanted> wanted) {
        var consumer = new MockConsumer<String, byte[]>("earliest");
        consumer.updateBeginningOffsets(Map.of(partition.source(), 10L));
        consumer.schedulePollTask(() -> {
            for (int offset = 10; offset < 40; offset++) {
                String key = List.of("a", "b", "c").get((offset - 10) % 3);
                consumer.addRecord(new ConsumerRecord<>(
                        partition.source().topic(), 0, offset, key, key.getBytes(StandardCharsets.UTF_8)));
            }
        });
        try (var reader = new BacklogReader(mailbox, () -> consumer, threads)) {
            reader.read(new BacklogReader.Request(partition, from, end, wanted));
            return (LoopMessage.BacklogRead) Objects.requireNonNull(mailbox.next(TIMEOUT));
        }
    }

    @Test
    void readsWhatIsWantedUpToTheEnd() {
        LoopMessage.BacklogRead read = read(10, 20, Map.of("a", new Wanted(10, 100), "c", new Wanted(13, 100)));
        assertThat(read.partition()).isSameAs(partition);
        assertThat(read.records()).extracting(ConsumerRecord::offset).containsExactly(10L, 13L, 15L, 16L, 18L, 19L);
        assertThat(read.reached()).isEqualTo(Map.of("a", 20L, "c", 20L));
    }

    /** The endpoint's next read begins with the first record that it did not get. */
    @Test
    void anEndpointThatHasEnoughHasReachedItsNextRecord() {
        Map<String, Wanted> wanted = new HashMap<>();
        wanted.put("a", new Wanted(10, 2));
        wanted.put("b", new Wanted(10, 100));
        LoopMessage.BacklogRead read = read(10, 22, wanted);
        assertThat(read.records()).extracting(ConsumerRecord::offset).containsExactly(10L, 11L, 13L, 14L, 17L, 20L);
        assertThat(read.reached()).isEqualTo(Map.of("a", 16L, "b", 22L));
    }

    @Test
    void anErrorReachesTheLoop() {
        var error = new KafkaException("of Kafka");
        try (var reader = new BacklogReader(
                mailbox,
                () -> {
                    throw error;
                },
                threads)) {
            reader.read(new BacklogReader.Request(partition, 0, 1, Map.of()));
            assertThat(mailbox.next(TIMEOUT)).isEqualTo(new LoopMessage.Failed(error));
        }
    }
}
