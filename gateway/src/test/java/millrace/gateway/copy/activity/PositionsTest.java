package millrace.gateway.copy.activity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class PositionsTest {
    @Property(tries = 200)
    void areTheSameAfterTheirText(@ForAll int topics, @ForAll @IntRange(max = 20) int partitions, @ForAll long seed) {
        var positions = new Positions(topics, offsets(partitions, seed));
        assertThat(positions.text()).matches("[A-Za-z0-9_-]+");
        assertThat(Positions.parse(positions.text())).contains(positions);
    }

    @Property(tries = 300)
    void ofAnotherTextThereAreNone(@ForAll String text, @ForAll long seed) {
        assertThatCode(() -> Positions.parse(text)).doesNotThrowAnyException();
        String cut = new Positions(1, offsets(4, seed)).text();
        assertThat(Positions.parse(cut.substring(0, cut.length() - 4))).isEmpty();
        assertThat(Positions.parse(cut + "AAAA")).isEmpty();
    }

    /** Written by builds before dataset-versions was a topic of the feed. */
    @Test
    void ofEarlierBuildsGoOnAtTheEndOfWhatTheseDidNotRead() {
        Positions before = Positions.parse("AQAAEmcDBhIGAwEBAQMCAgI").orElseThrow();
        var events = new TopicPartition(Topics.REPORT_EVENTS.name(), 1);
        var versions = new TopicPartition(Topics.DATASET_VERSIONS.name(), 0);
        assertThat(before.of(events)).isEqualTo(0x12);
        assertThat(before.next()).doesNotContainKey(versions);
        Positions completed = before.completed(new Positions(1, Map.of(events, 99L, versions, 7L)));
        assertThat(completed.of(events)).isEqualTo(0x12);
        assertThat(completed.of(versions)).isEqualTo(7);
        assertThat(completed.topics()).isEqualTo(before.topics());
        assertThat(Positions.parse(completed.text())).contains(completed);
    }

    @Test
    void moveOnWithEachEvent() {
        var partition = new TopicPartition(Topics.CREDIT_LEDGER.name(), 2);
        var positions = new Positions(1, Map.of(partition, 5L));
        var entry = new millrace.contracts.accounts.LedgerEntry(
                "g", "acme", 1, millrace.contracts.accounts.LedgerEntry.Kind.GRANT, null, 1, 1, 0, 0, 1, Instant.EPOCH);
        var event = new ActivityEvent.Entered(new ActivityEvent.Place(partition, 9), entry, null, null);
        assertThat(positions.after(event).of(partition)).isEqualTo(10);
        assertThat(event.place().id()).isEqualTo("credit-ledger.2.9");
        assertThat(positions.of(new TopicPartition(Topics.CREDIT_LEDGER.name(), 3)))
                .isZero();
    }

    private static Map<TopicPartition, Long> offsets(int partitions, long seed) {
        var random = new Random(seed);
        Map<TopicPartition, Long> offsets = new HashMap<>();
        for (Topic<?> topic : Positions.TOPICS) {
            for (int number = 0; number < partitions; number++) {
                offsets.put(new TopicPartition(topic.name(), number), random.nextLong() >>> (1 + random.nextInt(62)));
            }
        }
        return offsets;
    }
}
