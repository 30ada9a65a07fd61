package millrace.processor.sweeping;

import static millrace.processor.sweeping.Statuses.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import millrace.contracts.AccountCommand;
import millrace.contracts.ConsumerGroups;
import millrace.contracts.ReportStatus;
import millrace.contracts.Topics;
import millrace.runtime.KafkaSettings;
import millrace.testing.TestKafka;
import org.apache.kafka.clients.admin.Admin;
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
class LedgerViewIT {
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
        status(open, Statuses.processing(open));
        status(done, Statuses.processing(done));
        status(forgotten, Statuses.failed(forgotten));
        status(done, Statuses.complete(done, done + "/1/0-a.csv", NOW));
        status(forgotten, null);
        var command = new AccountCommand.CancelReport(open);
        producer.send(new ProducerRecord<>(
                        Topics.ACCOUNT_COMMANDS.name(), 1, "acme", Topics.ACCOUNT_COMMANDS.encode(command)))
                .get();

        var view = new LedgerView(settings, Duration.ofSeconds(2));
        List<UUID> asked = List.of(open, done, forgotten, UUID.randomUUID());
        assertThatThrownBy(() -> view.of(asked)).isInstanceOf(IOException.class).hasMessageContaining("behind");

        taken(1);
        assertThat(new LedgerView(settings, Duration.ofMinutes(1)).of(asked))
                .isEqualTo(Map.of(
                        open, Statuses.processing(open), done, Statuses.complete(done, done + "/1/0-a.csv", NOW)));
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
