package millrace.notifier;

import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import millrace.contracts.DeliveryState;
import millrace.contracts.Topics;
import millrace.notifier.delivery.SourceOffsets;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/**
 * Learns what a partition's former owner left: first the committed offsets, which waits for the end of its last transaction,
 * then the state topic to its end.
 */
final class TakeOver {
    private static final Duration POLL = Duration.ofMillis(100);
    /** A report's events wait for each other, so they are taken in their order. */
    private static final Comparator<DeliveryState> BY_SEQUENCE = Comparator.comparingInt(state -> switch (state) {
        case DeliveryState.Gone _ -> 0;
        case DeliveryState.Waiting waiting -> waiting.delivery().sequence();
    });

    private final Consumer<String, byte[]> member;
    private final Supplier<? extends Consumer<String, byte[]>> stateReader;

    /** @param stateReader makes a consumer that is in no group */
    TakeOver(Consumer<String, byte[]> member, Supplier<? extends Consumer<String, byte[]>> stateReader) {
        this.member = member;
        this.stateReader = stateReader;
    }

    /** Where each partition goes on; the member is moved there. */
    Map<Integer, SourceOffsets> offsets(Collection<TopicPartition> partitions) {
        Map<TopicPartition, @Nullable OffsetAndMetadata> committed = committed(partitions);
        Map<TopicPartition, Long> beginnings = member.beginningOffsets(partitions);
        Map<Integer, SourceOffsets> offsets = new HashMap<>();
        for (TopicPartition partition : partitions) {
            OffsetAndMetadata last = committed.get(partition);
            long beginning = beginnings.getOrDefault(partition, 0L);
            SourceOffsets resumed = last == null || last.offset() < beginning
                    ? SourceOffsets.resume(beginning, "")
                    : SourceOffsets.resume(last.offset(), last.metadata());
            member.seek(partition, resumed.committed());
            offsets.put(partition.partition(), resumed);
        }
        return offsets;
    }

    /** The newest state of every key, by partition. */
    Map<Integer, List<DeliveryState>> states(Collection<Integer> numbers) {
        List<TopicPartition> partitions = numbers.stream()
                .map(n -> new TopicPartition(Topics.DELIVERY_STATE.name(), n))
                .toList();
        Map<Integer, Map<String, DeliveryState>> newest = new HashMap<>();
        try (Consumer<String, byte[]> reader = stateReader.get()) {
            checkPartitions(reader);
            reader.assign(partitions);
            reader.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = reader.endOffsets(partitions);
            while (ends.entrySet().stream().anyMatch(end -> reader.position(end.getKey()) < end.getValue())) {
                reader.poll(POLL)
                        .forEach(record ->
                                fold(newest.computeIfAbsent(record.partition(), p -> new LinkedHashMap<>()), record));
            }
        }
        Map<Integer, List<DeliveryState>> sorted = new HashMap<>();
        newest.forEach((number, states) ->
                sorted.put(number, states.values().stream().sorted(BY_SEQUENCE).toList()));
        return sorted;
    }

    private static void fold(Map<String, DeliveryState> states, ConsumerRecord<String, byte[]> record) {
        if (record.value() == null) {
            states.remove(record.key());
        } else {
            states.put(record.key(), Topics.DELIVERY_STATE.decode(record.value()));
        }
    }

    private Map<TopicPartition, @Nullable OffsetAndMetadata> committed(Collection<TopicPartition> partitions) {
        while (true) {
            try {
                return member.committed(new java.util.HashSet<>(partitions));
            } catch (WakeupException e) {
                // Meant for the poll before this; an attempt that ended has time.
            }
        }
    }

    private static void checkPartitions(Consumer<String, byte[]> reader) {
        int deliveries = reader.partitionsFor(Topics.DELIVERIES.name()).size();
        int states = reader.partitionsFor(Topics.DELIVERY_STATE.name()).size();
        if (deliveries != states) {
            throw new IllegalStateException("topic " + Topics.DELIVERY_STATE.name() + " has " + states
                    + " partitions, but " + Topics.DELIVERIES.name() + " has " + deliveries + "; they must be equal");
        }
    }
}
