package millrace.contracts.topics;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.junit.jupiter.api.Test;

class TopicTest {

    @Property
    void keysMeetWhereKafkasDefaultPartitionerPutsThem(
            @ForAll String key, @ForAll @IntRange(min = 1, max = 99) int partitions) {
        assertThat(Topic.partition(key, partitions))
                .isEqualTo(BuiltInPartitioner.partitionForKey(key.getBytes(StandardCharsets.UTF_8), partitions));
    }

    @Test
    void everyDeclaredTopicIsInTheList() {
        assertThat(Topics.ALL)
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(Topics.class.getFields())
                        .filter(field -> Modifier.isStatic(field.getModifiers()))
                        .filter(field -> field.getType() == Topic.class)
                        .<Topic<?>>map(TopicTest::value)
                        .toList());
    }

    @Test
    void namesTellPublicFromInternal() {
        assertThat(Topics.ALL).allSatisfy(topic -> assertThat(topic.name().startsWith("internal."))
                .isEqualTo(topic.audience() == Topic.Audience.INTERNAL));
        assertThat(Topics.ALL.stream().map(Topic::name)).doesNotHaveDuplicates();
    }

    /** A store that was filled from the topic within that time has missed none. */
    @Test
    void tombstonesStayForAWeekWhereAReaderMayKeepWhatItHasRead() {
        assertThat(compacted().filter(topic -> !topic.equals(Topics.DELIVERY_STATE)))
                .isNotEmpty()
                .allSatisfy(topic -> assertThat(topic.config())
                        .containsEntry("delete.retention.ms", Long.toString(Topic.TOMBSTONES_KEPT.toMillis())));
        assertThat(Topics.DELIVERY_STATE.config()).containsEntry("delete.retention.ms", "86400000");
    }

    /** What is superseded, and not compacted, is at most what one segment holds and what Kafka leaves for the next pass. */
    @Test
    void segmentsOfCompactedTopicsAreSmallAndEndEveryDay() {
        assertThat(compacted()).isNotEmpty().allSatisfy(topic -> {
            assertThat(topic.config()).containsEntry("segment.ms", "86400000");
            assertThat(Integer.parseInt(topic.config().get("segment.bytes"))).isLessThanOrEqualTo(64 << 20);
        });
        assertThat(Topics.ACCOUNT_STATE.config()).containsEntry("segment.bytes", "16777216");
        assertThat(Topics.REPORT_EVENTS.config()).doesNotContainKeys("segment.bytes", "delete.retention.ms");
    }

    private static Stream<Topic<?>> compacted() {
        return Topics.ALL.stream().filter(topic -> topic.keep() instanceof Topic.Keep.Newest);
    }

    @Test
    void bytesStayAsTheyAre() {
        byte[] unreadable = {0, -1, '{'};
        assertThat(Topics.COMMAND_DEAD_LETTERS.encode(unreadable)).isEqualTo(unreadable);
        assertThat(Topics.COMMAND_DEAD_LETTERS.decode(unreadable)).isEqualTo(unreadable);
    }

    private static Topic<?> value(java.lang.reflect.Field field) {
        try {
            return (Topic<?>) java.util.Objects.requireNonNull(field.get(null));
        } catch (IllegalAccessException e) {
            throw new AssertionError(field + " cannot be read", e);
        }
    }
}
