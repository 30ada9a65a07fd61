package millrace.processor.rendering.tasks;

import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.topics.Topics;
import millrace.runtime.kafka.KafkaClientFactory;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;

/**
 * Sends answers to the ledger. While Kafka is unavailable they wait in the producer. A slice whose answer is lost runs
 * again.
 */
final class AnswerProducer implements AutoCloseable {
    private final Producer<String, byte[]> producer;
    private final Consumer<Throwable> onFatal;

    AnswerProducer(KafkaSettings kafka, KafkaClientFactory clients, Consumer<Throwable> onFatal) {
        Map<String, Object> config = kafka.producerConfig("answers");
        config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Integer.MAX_VALUE);
        config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, Long.MAX_VALUE);
        this.producer = clients.producer(config);
        this.onFatal = onFatal;
    }

    /** @param acknowledged run by a thread of the producer, once Kafka has acknowledged the answer */
    void send(String accountId, AccountCommand answer, Runnable acknowledged) {
        byte[] value = Topics.ACCOUNT_COMMANDS.encode(answer);
        try {
            var unused = producer.send(
                    new ProducerRecord<>(Topics.ACCOUNT_COMMANDS.name(), accountId, value), (metadata, error) -> {
                        if (error == null) {
                            acknowledged.run();
                        } else {
                            onFatal.accept(error);
                        }
                    });
        } catch (KafkaException | IllegalStateException e) {
            onFatal.accept(e);
        }
    }

    @Override
    public void close() {
        producer.close(Duration.ofMillis(500));
    }
}
