package millrace.simulation.kafka.broker;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import millrace.simulation.kafka.group.GroupCoordinator;
import millrace.simulation.kernel.Scheduler;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/** The broker: its logs and coordinators. */
public final class Broker {
    private final Scheduler scheduler;
    private final PartitionLogs logs;
    private final GroupCoordinator groups;
    private final TransactionCoordinator transactions;
    private final Map<Long, Appended> lastOf = new LinkedHashMap<>();

    private record Appended(int epoch, long sequence, List<Long> offsets) {}

    /**
     * @param markerDelay draws the time between the end of a transaction and one of its markers, in nanoseconds
     * @param unavailableNanos how long the cluster will be unavailable; 0 or less while it is available
     */
    public Broker(Scheduler scheduler, LongSupplier markerDelay, LongSupplier unavailableNanos) {
        this.scheduler = scheduler;
        this.logs = new PartitionLogs(scheduler);
        this.groups = new GroupCoordinator(scheduler, unavailableNanos);
        this.transactions = new TransactionCoordinator(scheduler, logs, groups, markerDelay, unavailableNanos);
    }

    public PartitionLogs logs() {
        return logs;
    }

    public GroupCoordinator groups() {
        return groups;
    }

    public TransactionCoordinator transactions() {
        return transactions;
    }

    /** Appends records and returns their offsets. A repeated request is not appended again. */
    public List<Long> produce(ProduceRequest request) {
        Appended last = lastOf.get(request.producer().id());
        int epoch = request.producer().epoch();
        if (last != null && last.epoch() == epoch && last.sequence() == request.sequence()) {
            return last.offsets();
        }
        boolean transactional = request.producer().transactionalId() != null;
        Set<TopicPartition> partitions = new LinkedHashSet<>();
        request.records().forEach(record -> partitions.add(partition(record)));
        if (transactional) {
            transactions.write(request.producer(), request.transaction(), List.copyOf(partitions));
        }
        List<Long> offsets = new ArrayList<>();
        for (ProducerRecord<String, byte[]> record : request.records()) {
            Long timestamp = record.timestamp();
            offsets.add(logs.log(partition(record))
                    .append(
                            record,
                            timestamp == null ? scheduler.now().toEpochMilli() : timestamp,
                            transactional ? request.producer().id() : null));
        }
        lastOf.put(request.producer().id(), new Appended(epoch, request.sequence(), offsets));
        scheduler.trace().add("append " + partitions + " at " + offsets);
        partitions.forEach(logs::changed);
        return offsets;
    }

    private static TopicPartition partition(ProducerRecord<String, byte[]> record) {
        return new TopicPartition(record.topic(), record.partition());
    }
}
