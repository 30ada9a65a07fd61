package millrace.runtime.kafka;

import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Creates Kafka clients from their configuration, with text keys and byte values. The simulation
 * replaces them with its own.
 */
public interface KafkaClientFactory {
    Consumer<String, byte[]> consumer(Map<String, Object> config);

    Producer<String, byte[]> producer(Map<String, Object> config);

    Admin admin(Map<String, Object> config);

    /** Creates the clients of the Kafka libraries. */
    static KafkaClientFactory ofKafka() {
        return new KafkaClientFactory() {
            @Override
            public Consumer<String, byte[]> consumer(Map<String, Object> config) {
                return new KafkaConsumer<>(config, new StringDeserializer(), new ByteArrayDeserializer());
            }

            @Override
            public Producer<String, byte[]> producer(Map<String, Object> config) {
                return new KafkaProducer<>(config, new StringSerializer(), new ByteArraySerializer());
            }

            @Override
            public Admin admin(Map<String, Object> config) {
                return Admin.create(config);
            }
        };
    }
}
