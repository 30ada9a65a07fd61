package millrace.notifier;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import millrace.contracts.DeliveryState;
import millrace.contracts.Topics;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * What is to be written with the next transaction. Of several states of one key only the last one is written. After an error
 * of {@link #commit} nothing is known; the outbox must not be used again.
 */
final class Outbox implements AutoCloseable {
    private record StateKey(int partition, String key) {}

    private final Producer<String, byte[]> producer;
    private final Map<StateKey, byte @Nullable []> states = new LinkedHashMap<>();
    private final List<ProducerRecord<String, byte[]>> records = new ArrayList<>();
    private boolean offsetsMoved;

    /** Blocks until an open transaction of this instance's former life is ended. */
    Outbox(Producer<String, byte[]> producer) {
        this.producer = producer;
        producer.initTransactions();
    }

    void put(int partition, DeliveryState state) {
        states.put(new StateKey(partition, state.key()), Topics.DELIVERY_STATE.encode(state));
    }

    /** @param key {@link DeliveryState#key()} */
    void remove(int partition, String key) {
        states.put(new StateKey(partition, key), null);
    }

    void publish(ProducerRecord<String, byte[]> record) {
        records.add(record);
    }

    void offsetsMoved() {
        offsetsMoved = true;
    }

    boolean isEmpty() {
        return states.isEmpty() && records.isEmpty() && !offsetsMoved;
    }

    /**
     * @param offsets of all owned partitions, moved or not: they make the transaction fail where another instance has taken
     *     over one of them
     */
    void commit(Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group) {
        producer.beginTransaction();
        states.forEach((key, value) ->
                send(new ProducerRecord<>(Topics.DELIVERY_STATE.name(), key.partition(), key.key(), value)));
        records.forEach(this::send);
        producer.sendOffsetsToTransaction(offsets, group);
        producer.commitTransaction();
        states.clear();
        records.clear();
        offsetsMoved = false;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a failed send fails the commit
    private void send(ProducerRecord<String, byte[]> record) {
        producer.send(record);
    }

    @Override
    public void close() {
        producer.close(Duration.ZERO);
    }
}
