package millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.record.internal.CompressionType;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EmbeddedKafkaTest {
    @TempDir
    Path folder;

    @Test
    void keepsItsRecordsOverARestart() throws Exception {
        try (EmbeddedKafka kafka = EmbeddedKafka.start(folder)) {
            createTopic(kafka, Map.of());
            send(kafka, "first");
        }
        try (EmbeddedKafka kafka = EmbeddedKafka.start(folder)) {
            send(kafka, "second");
            assertThat(read(kafka)).containsExactly("first", "second");
        }
    }

    /** So that a client without the codec of the producers can read it. */
    @ParameterizedTest
    @CsvSource({"producer, SNAPPY", "gzip, GZIP", "uncompressed, NONE"})
    void aTopicCanBeCompressedOtherwiseThanItsProducersDo(String codec, CompressionType written) throws Exception {
        try (EmbeddedKafka kafka = EmbeddedKafka.start(folder)) {
            createTopic(kafka, Map.of("compression.type", codec));
            send(kafka, "a value");
            assertThat(read(kafka)).containsExactly("a value");
        }
        Path log = folder.resolve("log/t-0/00000000000000000000.log");
        try (FileRecords records = FileRecords.open(log.toFile(), false)) {
            assertThat(records.batches()).singleElement().satisfies(batch -> assertThat(batch.compressionType())
                    .isEqualTo(written));
        }
    }

    /** The controller logs an error where one has waited in its queue for half of the interval, as on a busy machine. */
    @Test
    void heartbeatsMayWait() throws Exception {
        try (EmbeddedKafka kafka = EmbeddedKafka.start(folder);
                Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            var broker = new ConfigResource(ConfigResource.Type.BROKER, "1");
            Config config = admin.describeConfigs(Set.of(broker))
                    .all()
                    .get()
                    .values()
                    .iterator()
                    .next();
            assertThat(Integer.parseInt(
                            config.get("broker.heartbeat.interval.ms").value()))
                    .isGreaterThanOrEqualTo(4_000);
        }
    }

    private static void createTopic(EmbeddedKafka kafka, Map<String, String> config) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
            admin.createTopics(Set.of(new NewTopic("t", 1, (short) 1).configs(config)))
                    .all()
                    .get();
        }
    }

    private static void send(EmbeddedKafka kafka, String value) throws ExecutionException, InterruptedException {
        Map<String, Object> config =
                Map.of("bootstrap.servers", kafka.bootstrapServers(), "compression.type", "snappy");
        try (var producer = new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
            producer.send(new ProducerRecord<>("t", value)).get();
        }
    }

    private static List<String> read(EmbeddedKafka kafka) {
        Map<String, Object> config =
                Map.of("bootstrap.servers", kafka.bootstrapServers(), "auto.offset.reset", "earliest");
        var partition = new TopicPartition("t", 0);
        try (var consumer = new KafkaConsumer<>(config, new StringDeserializer(), new StringDeserializer())) {
            consumer.assign(List.of(partition));
            var values = new java.util.ArrayList<String>();
            long end = consumer.endOffsets(List.of(partition)).getOrDefault(partition, 0L);
            while (consumer.position(partition) < end) {
                consumer.poll(Duration.ofMillis(100)).forEach(r -> values.add(r.value()));
            }
            return values;
        }
    }
}
