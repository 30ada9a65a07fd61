package millrace.processor.ledger.streams;

import java.util.Map;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.topics.Topics;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Sends commands as the gateway and the workers do. */
public final class CommandSender implements AutoCloseable {
    private final KafkaProducer<String, byte[]> producer;

    public CommandSender(String bootstrapServers) {
        producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrapServers), new StringSerializer(), new ByteArraySerializer());
    }

    public void send(String account, AccountCommand command) {
        var record =
                new ProducerRecord<>(Topics.ACCOUNT_COMMANDS.name(), account, Topics.ACCOUNT_COMMANDS.encode(command));
        // A command that is lost shows in what the test waits for.
        var unused = producer.send(record);
    }

    void flush() {
        producer.flush();
    }

    @Override
    public void close() {
        producer.close();
    }
}
