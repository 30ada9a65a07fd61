package millrace.runtime.kafka;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.runtime.settings.KafkaSettings;
import millrace.runtime.settings.SettingsException;
import millrace.testing.TestKafka;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

class ExpiredOffsetsCheckIT {
    private static final String GROUP = "workers";
    private static final List<Topic<?>> TRACES = List.of(Topics.WEBHOOK_ATTEMPTS, Topics.WEBHOOK_DEAD_LETTERS);

    @Test
    void onlyAGroupThatHasWorkedAndHasNoOffsetsIsRefused() throws Exception {
        try (TestKafka kafka = TestKafka.withTopics(2)) {
            var settings = KafkaSettings.local(kafka.bootstrapServers(), 2, "a");
            assertThatCode(() -> refuse(settings)).as("new").doesNotThrowAnyException();

            work(settings, false);
            assertThatCode(() -> refuse(settings))
                    .as("died in its first transaction")
                    .doesNotThrowAnyException();

            work(settings, true);
            assertThatCode(() -> refuse(settings)).as("has worked").doesNotThrowAnyException();

            try (Admin admin = Admin.create(settings.clientConfig())) {
                // As brokers do after a time without members.
                await().ignoreExceptionsInstanceOf(ExecutionException.class).until(() -> {
                    admin.deleteConsumerGroups(List.of(GROUP)).all().get();
                    return true;
                });
            }
            assertThatThrownBy(() -> refuse(settings))
                    .isInstanceOf(SettingsException.class)
                    .hasMessageStartingWith("Kafka has forgotten how far workers had come in internal.deliveries")
                    .hasMessageContaining("--reset-offsets")
                    .hasMessageContaining("--to-datetime 20");
        }
    }

    private static void refuse(KafkaSettings settings) {
        ExpiredOffsetsCheck.refuse(settings, GROUP, Topics.DELIVERIES, TRACES);
    }

    private static void work(KafkaSettings settings, boolean commits) {
        Map<String, Object> config = settings.clientConfig();
        config.put("transactional.id", "worker");
        Map<String, Object> member = settings.clientConfig();
        member.put("group.id", GROUP);
        try (var producer = new KafkaProducer<>(config, new StringSerializer(), new StringSerializer());
                var consumer = new KafkaConsumer<>(member, new StringDeserializer(), new StringDeserializer())) {
            producer.initTransactions();
            producer.beginTransaction();
            var sent = producer.send(new ProducerRecord<>(Topics.WEBHOOK_ATTEMPTS.name(), 1, "key", "{}"));
            producer.sendOffsetsToTransaction(
                    Map.of(new TopicPartition(Topics.DELIVERIES.name(), 1), new OffsetAndMetadata(1)),
                    consumer.groupMetadata());
            if (commits) {
                producer.commitTransaction();
                sent.resultNow();
            } else {
                producer.flush();
                producer.abortTransaction();
            }
        }
    }
}
