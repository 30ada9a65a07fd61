package millrace.gateway.bootstrap;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import millrace.contracts.topics.Topics;
import millrace.runtime.settings.KafkaSettings;
import millrace.testing.TestKafka;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("thorough") // a hundred partitions
class CommandProducerIT {
    private static final int PARTITIONS = 100;
    private static final int COMMANDS = 2_000;

    /** With several requests in flight the first one to a partition was refused, the next one taken, and the first one timed out. */
    @Test
    void allArriveHoweverNewTheirLeaderIs() throws Exception {
        try (TestKafka kafka = TestKafka.fresh();
                Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
                var producer = new KafkaProducer<>(
                        Gateway.producer(
                                Duration.ofSeconds(30), KafkaSettings.local(kafka.bootstrapServers(), PARTITIONS, "a")),
                        new StringSerializer(),
                        new ByteArraySerializer())) {
            admin.createTopics(List.of(new NewTopic(Topics.ACCOUNT_COMMANDS.name(), PARTITIONS, (short) 1)))
                    .all()
                    .get();
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            for (int i = 0; i < COMMANDS; i++) {
                sent.add(producer.send(new ProducerRecord<>(
                        Topics.ACCOUNT_COMMANDS.name(), i % PARTITIONS, "account", new byte[100])));
            }
            for (Future<RecordMetadata> one : sent) {
                one.get();
            }
        }
    }
}
