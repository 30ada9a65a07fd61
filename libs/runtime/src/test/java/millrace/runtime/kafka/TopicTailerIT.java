package millrace.runtime.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import millrace.contracts.topics.Topics;
import millrace.runtime.settings.KafkaSettings;
import millrace.testing.TestKafka;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

class TopicTailerIT {
    @Test
    void goesOnAfterAnError() throws Exception {
        try (TestKafka kafka = TestKafka.fresh()) {
            kafka.createTopics(List.of(Topics.ACCOUNTS), 1);
            List<String> folded = new CopyOnWriteArrayList<>();
            var failed = new AtomicBoolean();
            var plan = new TopicTailer.Plan(List.of(Topics.ACCOUNTS), List.of(), Consumer::beginningOffsets);
            try (var producer = new KafkaProducer<>(
                            Map.<String, Object>of("bootstrap.servers", kafka.bootstrapServers()),
                            new StringSerializer(),
                            new StringSerializer());
                    var tailer = new TopicTailer(
                            KafkaSettings.local(kafka.bootstrapServers(), 1, "test"),
                            "test",
                            plan,
                            new FoldedOffsets(),
                            record -> {
                                String value = new String(record.value(), StandardCharsets.UTF_8);
                                if (value.equals("two") && failed.compareAndSet(false, true)) {
                                    throw new IllegalStateException("a record that cannot be folded the first time");
                                }
                                folded.add(value);
                            })) {
                for (String value : List.of("one", "two")) {
                    producer.send(new ProducerRecord<>(Topics.ACCOUNTS.name(), "key", value))
                            .get();
                }
                tailer.start();
                assertThat(tailer.awaitCaughtUp(Duration.ofSeconds(60))).isTrue();
                assertThat(failed).isTrue();
                assertThat(folded).endsWith("one", "two");
                producer.send(new ProducerRecord<>(Topics.ACCOUNTS.name(), "key", "three"))
                        .get();
                await().until(() -> folded.getLast().equals("three"));
            }
        }
    }
}
