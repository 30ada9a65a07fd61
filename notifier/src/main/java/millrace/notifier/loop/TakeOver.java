package millrace.notifier.loop;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.notifier.endpoint.FlowRules;
import millrace.notifier.endpoint.RestoredState;
import millrace.runtime.service.ServiceThreads;
import millrace.runtime.service.SteadyClock;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/**
 * Restores the state of newly assigned partitions on its own threads, so that other partitions go on meanwhile. It
 * reads the committed offsets, which waits for the end of the former owner's last transaction, and then the state
 * topics to their ends.
 */
final class TakeOver implements AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(100);

    private final Mailbox mailbox;
    private final Supplier<? extends Consumer<String, byte[]>> readers;
    private final FlowRules rules;
    private final SteadyClock clock;
    private final ServiceThreads threads;
    private final List<Thread> running = new ArrayList<>();

    /**
     * @param readers creates a consumer that may read the group's committed offsets and is not a member of the group
     */
    TakeOver(
            Mailbox mailbox,
            Supplier<? extends Consumer<String, byte[]>> readers,
            FlowRules rules,
            SteadyClock clock,
            ServiceThreads threads) {
        this.mailbox = mailbox;
        this.readers = readers;
        this.rules = rules;
        this.clock = clock;
        this.threads = threads;
    }

    /**
     * Does not block. The result arrives in the mailbox as {@link LoopMessage.TakenOver} with the number of the
     * request.
     */
    void start(int request, Collection<Integer> numbers) {
        List<Integer> partitions = List.copyOf(numbers);
        running.removeIf(thread -> !thread.isAlive());
        running.add(threads.virtual().name("take-over").start(() -> {
            try {
                mailbox.put(new LoopMessage.TakenOver(request, read(partitions)));
            } catch (InterruptException e) {
                Thread.currentThread().interrupt(); // the take-over is closed
            } catch (RuntimeException | Error e) {
                mailbox.put(new LoopMessage.Failed(e));
            }
        }));
    }

    private Collection<OwnedPartition> read(List<Integer> numbers) {
        try (Consumer<String, byte[]> reader = readers.get()) {
            checkPartitions(reader);
            Map<Integer, OwnedPartition> partitions = new HashMap<>();
            offsets(reader, numbers).forEach((n, resumed) -> partitions.put(n, new OwnedPartition(n, resumed, rules)));
            Map<Integer, RestoredState> restored = restored(reader, numbers);
            partitions.forEach((number, partition) -> {
                RestoredState state = restored.getOrDefault(number, new RestoredState());
                state.restore(partition.offsets().end(), partition::endpoint);
                partition.tooMany(state.surplus());
            });
            return partitions.values();
        }
    }

    private static Map<Integer, SourceOffsets> offsets(Consumer<String, byte[]> reader, List<Integer> numbers) {
        List<TopicPartition> partitions = of(Topics.DELIVERIES, numbers);
        Map<TopicPartition, @Nullable OffsetAndMetadata> committed = reader.committed(new HashSet<>(partitions));
        Map<TopicPartition, Long> beginnings = reader.beginningOffsets(partitions);
        Map<Integer, SourceOffsets> offsets = new HashMap<>();
        for (TopicPartition partition : partitions) {
            OffsetAndMetadata last = committed.get(partition);
            long beginning = beginnings.getOrDefault(partition, 0L);
            offsets.put(
                    partition.partition(),
                    last == null || last.offset() < beginning
                            ? SourceOffsets.resume(beginning, "")
                            : SourceOffsets.resume(last.offset(), last.metadata()));
        }
        return offsets;
    }

    private Map<Integer, RestoredState> restored(Consumer<String, byte[]> reader, List<Integer> numbers) {
        Map<Integer, RestoredState> restored = new HashMap<>();
        List<TopicPartition> partitions = Stream.of(Topics.DELIVERY_STATE, Topics.ENDPOINT_STATE)
                .flatMap(topic -> of(topic, numbers).stream())
                .toList();
        reader.assign(partitions);
        reader.seekToBeginning(partitions);
        Map<TopicPartition, Long> ends = reader.endOffsets(partitions);
        while (ends.entrySet().stream().anyMatch(end -> reader.position(end.getKey()) < end.getValue())) {
            for (ConsumerRecord<String, byte[]> record : reader.poll(POLL)) {
                fold(record, restored.computeIfAbsent(record.partition(), p -> new RestoredState()));
            }
        }
        return restored;
    }

    private void fold(ConsumerRecord<String, byte[]> record, RestoredState restored) {
        if (record.topic().equals(Topics.DELIVERY_STATE.name())) {
            DeliveryStateReader.read(record, restored, clock);
        } else {
            restored.state(
                    record.key(),
                    record.value() == null
                            ? null
                            : PlannedTimes.moved(
                                    Topics.ENDPOINT_STATE.decode(record.value()),
                                    clock.fromStored(record.timestamp())));
        }
    }

    private static List<TopicPartition> of(Topic<?> topic, List<Integer> numbers) {
        return numbers.stream().map(n -> new TopicPartition(topic.name(), n)).toList();
    }

    private static void checkPartitions(Consumer<String, byte[]> reader) {
        int deliveries = reader.partitionsFor(Topics.DELIVERIES.name()).size();
        for (Topic<?> topic : List.of(Topics.DELIVERY_STATE, Topics.ENDPOINT_STATE)) {
            int states = reader.partitionsFor(topic.name()).size();
            if (deliveries != states) {
                throw new IllegalStateException("topic " + topic.name() + " has " + states + " partitions, but "
                        + Topics.DELIVERIES.name() + " has " + deliveries + "; they must be equal");
            }
        }
    }

    @Override
    public void close() {
        running.forEach(Thread::interrupt);
    }
}
