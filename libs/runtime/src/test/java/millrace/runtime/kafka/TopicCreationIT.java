package millrace.runtime.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import millrace.contracts.topics.PartitionLeaders;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.runtime.settings.KafkaSettings;
import millrace.runtime.settings.SettingsException;
import millrace.testing.TestKafka;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

class TopicCreationIT {
    @Test
    void createsWhatIsMissingAndRefusesWhatIsDangerous() throws Exception {
        try (TestKafka kafka = TestKafka.fresh()) {
            assertThat(TopicCreation.ensure(
                            KafkaSettings.local(kafka.bootstrapServers(), 2, "a"), List.of(Topics.ACCOUNT_COMMANDS)))
                    .isEmpty();
            assertThat(TopicCreation.ensure(KafkaSettings.local(kafka.bootstrapServers(), 2, "a"), Topics.ALL))
                    .isEmpty();
            assertThatThrownBy(() -> TopicCreation.ensure(
                            KafkaSettings.local(kafka.bootstrapServers(), 3, "a"), List.of(Topics.ACCOUNT_COMMANDS)))
                    .isInstanceOf(SettingsException.class)
                    .hasMessageContaining(
                            "topic internal.account-commands has 2 partitions, and kafka.partitions is 3");
            var status = new ConfigResource(ConfigResource.Type.TOPIC, Topics.REPORT_STATUS.name());
            var delete = new AlterConfigOp(new ConfigEntry("cleanup.policy", "delete"), AlterConfigOp.OpType.SET);
            try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
                admin.incrementalAlterConfigs(Map.of(status, List.of(delete)))
                        .all()
                        .get();
                await(() -> config(admin, status).get("cleanup.policy").value().equals("delete"));
            }
            assertThatThrownBy(() -> TopicCreation.ensure(
                            KafkaSettings.local(kafka.bootstrapServers(), 2, "a"), List.of(Topics.REPORT_STATUS)))
                    .isInstanceOf(SettingsException.class)
                    .hasMessageContaining("topic report-status has cleanup.policy=delete, declared is compact");
            recordsOfAClockThatIsAheadAreRefused(kafka);
            whatEarlierBuildsDidNotDeclareIsSet(kafka);
        }
    }

    private static void whatEarlierBuildsDidNotDeclareIsSet(TestKafka kafka) throws Exception {
        var topic = new ConfigResource(ConfigResource.Type.TOPIC, Topics.REPORT_REQUESTS.name());
        KafkaSettings settings = KafkaSettings.local(kafka.bootstrapServers(), 2, "a");
        try (Admin admin = Admin.create(settings.clientConfig())) {
            var others = new AlterConfigOp(new ConfigEntry("segment.ms", "1000000"), AlterConfigOp.OpType.SET);
            var nobodys = Stream.of("segment.bytes", "delete.retention.ms")
                    .map(key -> new AlterConfigOp(new ConfigEntry(key, null), AlterConfigOp.OpType.DELETE));
            admin.incrementalAlterConfigs(Map.of(
                            topic, Stream.concat(Stream.of(others), nobodys).toList()))
                    .all()
                    .get();
            await(() -> config(admin, topic).get("segment.bytes").value().equals("1073741824"));

            assertThat(TopicCreation.ensure(settings, List.of(Topics.REPORT_REQUESTS)))
                    .containsExactly("topic internal.report-requests has segment.ms=1000000, declared is 86400000");

            await(() -> config(admin, topic).get("segment.bytes").value().equals("67108864"));
            Config now = config(admin, topic);
            assertThat(now.get("delete.retention.ms").value()).isEqualTo("604800000");
            assertThat(now.get("segment.ms").value()).isEqualTo("1000000");
        }
    }

    private static Config config(Admin admin, ConfigResource topic) throws Exception {
        return Objects.requireNonNull(
                admin.describeConfigs(List.of(topic)).all().get().get(topic));
    }

    private static void await(Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.call()) {
            assertThat(System.nanoTime()).isLessThan(end);
            Thread.onSpinWait();
        }
    }

    /** The broker logs this as an error of its own. */
    private static void recordsOfAClockThatIsAheadAreRefused(TestKafka kafka) {
        Map<String, Object> config = Map.of("bootstrap.servers", kafka.bootstrapServers());
        long ahead = System.currentTimeMillis() + Duration.ofHours(2).toMillis();
        try (var producer = new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
            var sent = producer.send(new ProducerRecord<>(Topics.ACCOUNTS.name(), null, ahead, "key", "value"));
            assertThat(sent)
                    .failsWithin(Duration.ofSeconds(30))
                    .withThrowableThat()
                    .withCauseInstanceOf(InvalidTimestampException.class);
        }
        assertThat(Topics.ALL).allSatisfy(topic -> assertThat(topic.config())
                .containsEntry(TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG, "3600000"));
    }

    /** A producer whose first two requests meet a partition before and after it gets its leader never gets the first one through. */
    @Test
    void whatIsThereCanBeUsed() throws Exception {
        int partitions = 10;
        try (TestKafka kafka = TestKafka.fresh()) {
            TopicCreation.ensure(KafkaSettings.local(kafka.bootstrapServers(), partitions, "a"), Topics.ALL);
            Map<String, Object> once = Map.of(
                    "bootstrap.servers", kafka.bootstrapServers(), "retries", "0", "enable.idempotence", "false");
            try (var producer = new KafkaProducer<>(once, new StringSerializer(), new StringSerializer())) {
                List<Future<RecordMetadata>> sent = new ArrayList<>();
                for (Topic<?> topic : Topics.ALL) {
                    for (int partition = 0; partition < partitions; partition++) {
                        sent.add(producer.send(new ProducerRecord<>(topic.name(), partition, "key", "value")));
                    }
                }
                for (Future<RecordMetadata> one : sent) {
                    one.get();
                }
            }
        }
    }

    @Test
    void whatNoBrokerHasHeardOfYetIsWaitedFor() throws Exception {
        Topic<?> topic = Topics.ACCOUNT_COMMANDS;
        try (TestKafka kafka = TestKafka.fresh();
                Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            assertThatThrownBy(() -> PartitionLeaders.await(admin, topic.ends(1), Duration.ofMillis(200)))
                    .isInstanceOf(TimeoutException.class);
            Future<Boolean> usable = threads.submit(() -> {
                PartitionLeaders.await(admin, topic.ends(1), Duration.ofSeconds(30));
                return true;
            });
            kafka.createTopics(List.of(topic), 1);
            assertThat(usable.get()).isTrue();
        }
    }

    @Test
    void saysInOneLineThatKafkaIsUnavailable() {
        var unavailable = new KafkaSettings(
                "127.0.0.1:1", 1, 1, "a", Map.of("default.api.timeout.ms", "500", "request.timeout.ms", "300"));
        assertThatThrownBy(() -> TopicCreation.ensure(unavailable, Topics.ALL))
                .isInstanceOf(SettingsException.class)
                .hasMessageStartingWith("Kafka at 127.0.0.1:1 cannot be used: ");
    }
}
