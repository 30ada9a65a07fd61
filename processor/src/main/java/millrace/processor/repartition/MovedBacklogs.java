package millrace.processor.repartition;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntToLongFunction;
import millrace.contracts.delivery.DeliveryState;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Where the events begin of endpoints that have more than fit into a notifier's memory: {@link Topics#DELIVERY_STATE}
 * has it as an offset of {@link Topics#DELIVERIES}. Takes some 200 bytes for each such endpoint.
 */
final class MovedBacklogs {
    private static final String BEHIND = DeliveryState.Behind.key("");

    private final Map<String, Long> before = new HashMap<>();
    private final Map<String, Long> after = new HashMap<>();
    private final int partitions;
    private IntToLongFunction ends = partition -> 0;

    /** @param partitions of the copies */
    MovedBacklogs(int partitions) {
        this.partitions = partitions;
    }

    /** To be called with each record of the states, before a delivery is copied. */
    void found(ConsumerRecord<byte[], byte[]> state) {
        DeliveryState.Behind behind = behind(state);
        if (behind != null) {
            before.put(behind.endpoint(), behind.from());
        } else if (text(state.key()).endsWith(BEHIND)) {
            before.remove(text(state.key()).replace(BEHIND, ""));
        }
    }

    /** For the copy of the deliveries, which must be written before that of the states. */
    RecordChange ofDeliveries() {
        return new RecordChange() {
            @Override
            public void copied(ConsumerRecord<byte[], byte[]> record, int partition, long offset) {
                if (before.isEmpty()) {
                    return;
                }
                String endpoint = text(record.key());
                Long from = before.get(endpoint);
                if (from != null && record.offset() >= from) {
                    after.putIfAbsent(endpoint, offset);
                }
            }

            @Override
            public void ended(IntToLongFunction endsOfCopy) {
                ends = endsOfCopy;
            }
        };
    }

    /** For the copy of the states. */
    RecordChange ofStates() {
        return new RecordChange() {
            @Override
            public byte @Nullable [] value(ConsumerRecord<byte[], byte[]> record) {
                DeliveryState.Behind behind = behind(record);
                return behind == null
                        ? record.value()
                        : Topics.DELIVERY_STATE.encode(
                                new DeliveryState.Behind(behind.endpoint(), moved(behind.endpoint()), behind.since()));
            }
        };
    }

    private long moved(String endpoint) {
        Long found = after.get(endpoint);
        return found == null ? ends.applyAsLong(Topic.partition(endpoint, partitions)) : found;
    }

    private static DeliveryState.@Nullable Behind behind(ConsumerRecord<byte[], byte[]> state) {
        return state.value() != null
                        && text(state.key()).endsWith(BEHIND)
                        && Topics.DELIVERY_STATE.decode(state.value()) instanceof DeliveryState.Behind behind
                ? behind
                : null;
    }

    private static String text(byte @Nullable [] key) {
        return key == null ? "" : new String(key, StandardCharsets.UTF_8);
    }
}
