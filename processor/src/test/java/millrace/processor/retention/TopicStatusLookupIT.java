package millrace.processor.retention;

import static millrace.processor.retention.SampleStatuses.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import millrace.contracts.Json;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.topics.ConsumerGroups;
import millrace.contracts.topics.Topics;
import millrace.runtime.repartition.RepartitionLog;
import millrace.runtime.repartition.RepartitionState;
import millrace.runtime.settings.KafkaSettings;
import millrace.testing.TestKafka;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TopicStatusLookupIT {
    private TestKafka kafka;
    private KafkaSettings settings;
    private KafkaProducer<String, byte[]> producer;

    @BeforeAll
    void start() {
        kafka = TestKafka.withTopics(2);
        settings = KafkaSettings.local(kafka.bootstrapServers(), 2, "test");
        producer = new KafkaProducer<>(settings.clientConfig(), new StringSerializer(), new ByteArraySerializer());
    }

    @AfterAll
    void stop() {
        producer.close();
        kafka.close();
    }

    @Test
    void tellsTheNewestStatusOnceTheLedgerHasTakenEveryCommand() throws Exception {
        UUID open = UUID.randomUUID();
        UUID done = UUID.randomUUID();
        UUID forgotten = UUID.randomUUID();
        status(open, SampleStatuses.processing(open));
        status(done, SampleStatuses.processing(done));
        status(forgotten, SampleStatuses.failed(forgotten));
        status(done, SampleStatuses.complete(done, done + "/1/0-a.csv", NOW));
        status(forgotten, null);
        var view = new TopicStatusLookup(settings, Duration.ofSeconds(2));
        List<UUID> asked = List.of(open, done, forgotten, UUID.randomUUID());
        assertThatThrownBy(() -> view.of(asked, null))
                .isInstanceOf(SweepRefusedException.class)
                .hasMessageContaining("has not seen a single command");
        assertThat(view.of(List.of(), null).reports()).isEmpty();

        var command = new AccountCommand.CancelReport(open);
        producer.send(new ProducerRecord<>(
                        Topics.ACCOUNT_COMMANDS.name(), 1, "acme", Topics.ACCOUNT_COMMANDS.encode(command)))
                .get();

        assertThatThrownBy(() -> view.of(asked, null))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("behind");

        taken(1);
        StatusLookup.Known known = new TopicStatusLookup(settings, Duration.ofMinutes(1)).of(asked, null);
        assertThat(known.reports())
                .isEqualTo(Map.of(
                        open,
                        SampleStatuses.processing(open),
                        done,
                        SampleStatuses.complete(done, done + "/1/0-a.csv", NOW)));
        toldByItsHistory(view, known.mark());
    }

    private void toldByItsHistory(TopicStatusLookup view, LedgerMark mark) throws Exception {
        status(UUID.randomUUID(), SampleStatuses.processing(UUID.randomUUID()));
        LedgerMark later = view.of(List.of(), mark).mark();
        assertThat(later).isNotEqualTo(mark);
        assertThat(view.of(List.of(), later).mark()).isEqualTo(later);

        var other = new LedgerMark("another", mark.topic(), mark.places());
        assertThatThrownBy(() -> view.mark(other)).isInstanceOf(SweepRefusedException.class);
        assertThatThrownBy(() -> view.of(List.of(), other)).isInstanceOf(SweepRefusedException.class);
        assertThat(view.mark(later)).isEqualTo(later);
        for (int i = 0; i < 300; i++) {
            status(UUID.randomUUID(), SampleStatuses.processing(UUID.randomUUID()));
        }
        assertThat(view.mark(mark)).isEqualTo(view.of(List.of(), mark).mark());
        var further = new LedgerMark(mark.cluster(), mark.topic(), Map.of(0, new LedgerMark.Place(1000, 0)));
        assertThatThrownBy(() -> view.mark(further)).isInstanceOf(SweepRefusedException.class);
        var moved = new LedgerMark(mark.cluster(), mark.topic(), movedInTime(mark));
        assertThatThrownBy(() -> view.mark(moved)).isInstanceOf(SweepRefusedException.class);
        assertThatThrownBy(() -> view.of(List.of(), further)).isInstanceOf(SweepRefusedException.class);
        copiedFromAnotherTopic(view, mark);
    }

    private void copiedFromAnotherTopic(TopicStatusLookup view, LedgerMark mark) throws Exception {
        var before = new LedgerMark(mark.cluster(), "before", Map.of(0, new LedgerMark.Place(1000, 0)), NOW);
        assertThatThrownBy(() -> view.mark(before)).isInstanceOf(SweepRefusedException.class);
        var changed = new RepartitionState(
                1,
                2,
                RepartitionState.Phase.SWITCHED,
                NOW,
                Map.of(Topics.REPORT_STATUS.name(), List.of("before", mark.topic())));
        try (Admin admin = Admin.create(settings.clientConfig())) {
            admin.createTopics(List.of(new NewTopic(Topics.REPARTITION, 1, (short) 1)))
                    .all()
                    .get();
        }
        producer.send(new ProducerRecord<>(Topics.REPARTITION, 0, RepartitionLog.STATE, Json.bytes(changed)))
                .get();
        assertThat(view.mark(before)).isEqualTo(view.mark(mark));
        var unknown = new LedgerMark(mark.cluster(), "unknown", Map.of());
        assertThatThrownBy(() -> view.mark(unknown)).isInstanceOf(SweepRefusedException.class);
    }

    /** The records of other times, as after a restore of Kafka. */
    private static Map<Integer, LedgerMark.Place> movedInTime(LedgerMark mark) {
        Map<Integer, LedgerMark.Place> places = new HashMap<>();
        mark.places().forEach((p, place) -> places.put(p, new LedgerMark.Place(place.offset(), place.time() - 1)));
        return places;
    }

    private void status(UUID id, @Nullable ReportStatus status) throws InterruptedException, ExecutionException {
        byte[] value = status == null ? null : Topics.REPORT_STATUS.encode(status);
        producer.send(new ProducerRecord<>(Topics.REPORT_STATUS.name(), Topics.reportKey("acme", id), value))
                .get();
    }

    private void taken(long commands) throws InterruptedException, ExecutionException {
        try (Admin admin = Admin.create(settings.clientConfig())) {
            admin.alterConsumerGroupOffsets(
                            ConsumerGroups.PROCESSOR,
                            Map.of(
                                    new TopicPartition(Topics.ACCOUNT_COMMANDS.name(), 1),
                                    new OffsetAndMetadata(commands)))
                    .all()
                    .get();
        }
    }
}
