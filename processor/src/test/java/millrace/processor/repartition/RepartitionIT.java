package millrace.processor.repartition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import millrace.contracts.delivery.DeliveryState;
import millrace.contracts.topics.ConsumerGroups;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.processor.repartition.FilledTopics.Content;
import millrace.runtime.kafka.TopicCreation;
import millrace.runtime.repartition.RepartitionLog;
import millrace.runtime.settings.KafkaSettings;
import millrace.runtime.settings.SettingsException;
import millrace.testing.TestKafka;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("thorough") // copies all topics ten times
class RepartitionIT {
    private static final int MORE = 6;
    private static final String BEHIND = FilledTopics.endpoint(3);

    private TestKafka kafka;
    private FilledTopics topics;

    @BeforeEach
    void fill() throws ExecutionException, InterruptedException {
        kafka = TestKafka.fresh();
        kafka.createTopics(FilledTopics.TOPICS, FilledTopics.PARTITIONS);
        topics = new FilledTopics(kafka.bootstrapServers());
        topics.fill();
        topics.commit();
        topics.fallBehind(BEHIND);
    }

    @AfterEach
    void stop() {
        kafka.close();
    }

    /** What is in Kafka, whatever its partitions are. */
    private record All(
            Map<String, Map<String, List<Content>>> contents,
            Map<String, Map<String, String>> configs,
            List<String> undecided,
            List<String> open,
            String backlog) {}

    private All all() throws ExecutionException, InterruptedException {
        Map<String, Map<String, List<Content>>> contents = new HashMap<>();
        Map<String, Map<String, String>> configs = new HashMap<>();
        try (var brokers = new Brokers(settings(MORE))) {
            for (String topic : FilledTopics.names()) {
                contents.put(topic, topics.contents(topic));
                configs.put(topic, brokers.config(topic));
            }
        }
        // Whose value is an offset.
        Objects.requireNonNull(contents.get(Topics.DELIVERY_STATE.name())).remove(DeliveryState.Behind.key(BEHIND));
        // Which each partition has.
        Objects.requireNonNull(contents.get(Topics.LEDGER_CHANGELOG)).remove("form/ledger");
        return new All(
                contents,
                configs,
                topics.unread(ConsumerGroups.PROCESSOR, Topics.ACCOUNT_COMMANDS),
                topics.open(),
                topics.firstOfBacklog(BEHIND));
    }

    /** Killed while it copies, while it makes topics anew and while it goes back, it loses nothing and goes on. */
    @Test
    void losesNothingWhereverItIsKilled() throws Exception {
        All before = all();
        List<String> unreadByOthers = topics.unread(FilledTopics.OTHER_TEAM, Topics.REPORT_EVENTS);

        killed(step -> step.equals("copying " + Topics.REPORT_STATUS.name()), 40);
        assertThat(all().contents()).isEqualTo(before.contents());
        assertThatThrownBy(() -> TopicCreation.ensure(settings(FilledTopics.PARTITIONS), FilledTopics.TOPICS))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("on their way from 4 to 6 partitions")
                .hasMessageContaining("millrace-admin repartition --partitions 6");
        killed(step -> step.startsWith("making " + Topics.DELIVERIES.name()), 40);
        killed(step -> step.startsWith("making " + Topics.REPORT_STATUS.name()), 0);
        killed(step -> step.startsWith("moving"), 0);
        try (Repartition repartition = repartition(new Progress() {})) {
            assertThatThrownBy(() -> repartition.run(MORE + 1)).hasMessageContaining("a change to 6 partitions");
            assertThatThrownBy(repartition::confirm).hasMessageContaining("not finished");
            repartition.run(MORE);
        }

        assertThat(all()).isEqualTo(before);
        assertThat(topics.unread(FilledTopics.OTHER_TEAM, Topics.REPORT_EVENTS)).containsAll(unreadByOthers);
        keysAreWhereProducersPutThem();
        eachPartitionHasTheForm();
        assertThatCode(() -> TopicCreation.ensure(settings(MORE), FilledTopics.TOPICS))
                .doesNotThrowAnyException();

        try (Repartition repartition = repartition(killer(step -> step.startsWith("making"), 5))) {
            assertThatThrownBy(() -> repartition.undo(false)).isInstanceOf(Killed.class);
        }
        try (Repartition repartition = repartition(new Progress() {})) {
            assertThatThrownBy(() -> repartition.run(MORE)).hasMessageContaining("going back");
            repartition.undo(false);
        }
        assertThat(all()).isEqualTo(before);
        assertThat(topics.existing()).noneMatch(name -> name.contains(".before-"));
    }

    @Test
    void confirmsFewerPartitionsAndRefusesWhatItMust() throws Exception {
        All before = all();
        try (Repartition repartition = repartition(new Progress() {})) {
            assertThatThrownBy(() -> repartition.run(FilledTopics.PARTITIONS)).hasMessageContaining("already");
            assertThatThrownBy(() -> repartition.undo(false)).hasMessageContaining("nothing to");
            try (var member = member()) {
                assertThatThrownBy(() -> repartition.run(2))
                        .isInstanceOf(RepartitionException.class)
                        .hasMessageContaining("services run: " + ConsumerGroups.FILE_DELETERS + ": deleter-7 on ");
            }
            Plan plan = repartition.plan(2);
            assertThat(plan.undecided()).isPositive();
            assertThat(plan.others()).containsOnlyKeys(FilledTopics.OTHER_TEAM);
            assertThat(String.join(" ", plan.sentences()))
                    .contains("from 4 to 2 partitions", "analytics of another team reads report-events");

            repartition.run(2);
            assertThat(all()).isEqualTo(before);
            assertThat(topics.existing()).contains(Topics.REPORT_STATUS.name() + ".before-4");
            repartition.confirm();
            assertThat(topics.existing()).noneMatch(name -> name.contains(".before-"));
        }
        var state = RepartitionLog.read(settings(2)).state().orElseThrow();
        assertThat(state.ids().get(Topics.REPORT_STATUS.name())).hasSize(2);

        topics.misplace(Topics.REPORT_EVENTS);
        try (Repartition repartition = repartition(new Progress() {})) {
            assertThatThrownBy(() -> repartition.run(3)).hasMessageContaining("it belongs to partition");
            repartition.undo(false);
        }
        assertThat(topics.existing()).noneMatch(name -> name.contains(".before-"));
    }

    private KafkaConsumer<byte[], byte[]> member() {
        var member = new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        kafka.bootstrapServers(),
                        "group.id",
                        ConsumerGroups.FILE_DELETERS,
                        "client.id",
                        "deleter-7"),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
        member.subscribe(List.of(Topics.FILE_DELETIONS.name()));
        while (member.assignment().isEmpty()) {
            member.poll(Duration.ofMillis(50));
        }
        return member;
    }

    private void keysAreWhereProducersPutThem() {
        for (Topic<?> topic : List.of(Topics.REPORT_EVENTS, Topics.DELIVERIES, Topics.ACCOUNT_COMMANDS)) {
            assertThat(topics.records(topic.name()))
                    .isNotEmpty()
                    .allMatch(record -> record.partition() == Topic.partition(record.key(), MORE));
        }
        assertThat(topics.records(Topics.DELIVERY_STATE.name()))
                .allMatch(record ->
                        record.partition() == Topic.partition(record.key().replaceAll("(:80).*", "$1"), MORE));
    }

    private void eachPartitionHasTheForm() {
        assertThat(topics.records(Topics.LEDGER_CHANGELOG).stream()
                        .filter(record -> record.key().equals("form/ledger"))
                        .map(record -> record.partition()))
                .containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5);
    }

    /** As kill does, as far as it goes within one process. */
    private static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private void killed(Predicate<String> step, int records) {
        try (Repartition repartition = repartition(killer(step, records))) {
            assertThatThrownBy(() -> repartition.run(MORE)).isInstanceOf(Killed.class);
        }
    }

    /** @param records that are read in the step before; 0 for the beginning of the step */
    private static Progress killer(Predicate<String> step, int records) {
        return new Progress() {
            private boolean there;
            private long read;

            @Override
            public void begins(String what) {
                there = step.test(what);
                if (there && records == 0) {
                    throw new Killed();
                }
            }

            @Override
            public void did(long more, long bytes) {
                read += more;
                if (there && read >= records) {
                    throw new Killed();
                }
            }
        };
    }

    private Repartition repartition(Progress progress) {
        return new Repartition(
                settings(FilledTopics.PARTITIONS), progress, InstantSource.system(), Duration.ofMillis(300));
    }

    private KafkaSettings settings(int partitions) {
        return KafkaSettings.local(kafka.bootstrapServers(), partitions, "repartition");
    }
}
