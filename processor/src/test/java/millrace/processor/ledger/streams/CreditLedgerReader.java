package millrace.processor.ledger.streams;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import millrace.contracts.accounts.LedgerEntry;
import millrace.contracts.topics.Topics;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Reads the topic {@code credit-ledger} with read_committed, as a consumer of the public topic does. */
public final class CreditLedgerReader implements AutoCloseable {
    private final KafkaConsumer<String, byte[]> consumer;
    private final List<LedgerEntry> read = new ArrayList<>();

    public CreditLedgerReader(String bootstrapServers) {
        consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrapServers, "isolation.level", "read_committed"),
                new StringDeserializer(),
                new ByteArrayDeserializer());
        List<TopicPartition> partitions = consumer.partitionsFor(Topics.CREDIT_LEDGER.name()).stream()
                .map(p -> new TopicPartition(p.topic(), p.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
    }

    public List<LedgerEntry> all() {
        consumer.poll(Duration.ofMillis(100)).forEach(r -> read.add(Topics.CREDIT_LEDGER.decode(r.value())));
        return read;
    }

    /** Settlements so far. */
    public long settled() {
        return all().stream()
                .filter(e -> e.kind() == LedgerEntry.Kind.SETTLEMENT)
                .count();
    }

    @Override
    public void close() {
        consumer.close();
    }
}
