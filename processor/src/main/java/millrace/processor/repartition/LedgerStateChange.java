package millrace.processor.repartition;

import java.nio.charset.StandardCharsets;
import java.util.List;
import millrace.processor.ledger.state.RepartitionedState;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Divides the records of the ledger's changelog among another number of partitions. */
final class LedgerStateChange implements RecordChange {
    private final RepartitionedState state;
    private long newest;

    /** @param partitions of the copy */
    LedgerStateChange(int partitions) {
        this.state = new RepartitionedState(partitions);
    }

    @Override
    public boolean keeps(ConsumerRecord<byte[], byte[]> record) {
        newest = Math.max(newest, record.timestamp());
        return state.keeps(record.partition(), new String(record.key(), StandardCharsets.UTF_8), record.value());
    }

    @Override
    public List<Addition> additions(int partition) {
        return state.of(partition).entrySet().stream()
                .map(own -> new Addition(own.getKey().getBytes(StandardCharsets.UTF_8), own.getValue(), newest))
                .toList();
    }
}
