package millrace.simulation.kafka.consumer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import millrace.simulation.kafka.broker.FetchResult;
import millrace.simulation.kafka.broker.PartitionLogs;
import millrace.simulation.kafka.network.ClientConfig;
import millrace.simulation.kafka.network.ClientRequest;
import millrace.simulation.kafka.network.Connection;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** Fetches records ahead, one request at a time, and hands them out. */
final class RecordFetcher {
    private final Connection connection;
    private final PartitionLogs logs;
    private final ConsumerPositions positions;
    private final boolean committedOnly;
    private final int mostRecords;
    private final long waitNanos;
    private final Map<TopicPartition, FetchResult> buffered = new LinkedHashMap<>();
    private Map<TopicPartition, Long> asked = Map.of();
    private @Nullable ClientRequest<Map<TopicPartition, FetchResult>> request;

    RecordFetcher(Connection connection, PartitionLogs logs, ConsumerPositions positions, ClientConfig config) {
        this.connection = connection;
        this.logs = logs;
        this.positions = positions;
        this.committedOnly = config.readCommitted();
        this.mostRecords = (int) config.number("max.poll.records", 500);
        this.waitNanos = config.nanos("fetch.max.wait.ms", 500);
    }

    /** Requests records of partitions that have neither records nor a pending request. */
    void send() {
        Map<TopicPartition, Long> wanted = wanted();
        if (wanted.isEmpty() || (request != null && asked.entrySet().containsAll(wanted.entrySet()))) {
            return;
        }
        if (request != null) {
            request.abandon();
        }
        asked = wanted;
        var fetch = new PartitionLogs.Fetch(wanted, committedOnly, mostRecords, waitNanos);
        request = connection.send(answer -> logs.fetch(fetch, answer));
    }

    /** Returns fetched records; null where there are none and no position has moved. */
    @Nullable
    ConsumerRecords<String, byte[]> collect() {
        receive();
        Map<TopicPartition, List<ConsumerRecord<String, byte[]>>> records = new LinkedHashMap<>();
        Map<TopicPartition, OffsetAndMetadata> next = new LinkedHashMap<>();
        int left = mostRecords;
        for (TopicPartition partition : List.copyOf(buffered.keySet())) {
            FetchResult fetched = current(partition);
            if (fetched == null) {
                buffered.remove(partition);
            } else if (!positions.isPaused(partition) && left > 0) {
                List<ConsumerRecord<String, byte[]>> taken = take(partition, fetched, left);
                left -= taken.size();
                if (!taken.isEmpty()) {
                    records.put(partition, taken);
                }
                next.put(partition, new OffsetAndMetadata(positionOf(partition)));
            }
        }
        return next.isEmpty() ? null : new ConsumerRecords<>(records, next);
    }

    private void receive() {
        if (request != null && request.isDone()) {
            Map<TopicPartition, FetchResult> found = request.get();
            request = null;
            found.forEach((partition, fetched) -> {
                if (positions.has(partition) && positionOf(partition) == fetched.from()) {
                    buffered.put(partition, fetched);
                }
            });
        }
    }

    /** The fetched records; null where the position has changed since, or the partition is not assigned any more. */
    private @Nullable FetchResult current(TopicPartition partition) {
        FetchResult fetched = buffered.get(partition);
        return fetched != null && positions.has(partition) && positionOf(partition) == fetched.from() ? fetched : null;
    }

    private List<ConsumerRecord<String, byte[]>> take(TopicPartition partition, FetchResult fetched, int most) {
        List<ConsumerRecord<String, byte[]>> records = fetched.records();
        if (records.size() <= most) {
            buffered.remove(partition);
            positions.seek(partition, fetched.next());
            return records;
        }
        long next = records.get(most).offset();
        buffered.put(partition, new FetchResult(next, records.subList(most, records.size()), fetched.next()));
        positions.seek(partition, next);
        return new ArrayList<>(records.subList(0, most));
    }

    private Map<TopicPartition, Long> wanted() {
        Map<TopicPartition, Long> wanted = new LinkedHashMap<>();
        for (TopicPartition partition : positions.assigned()) {
            Long offset = positions.offset(partition);
            if (offset != null && !positions.isPaused(partition) && current(partition) == null) {
                wanted.put(partition, offset);
            }
        }
        return wanted;
    }

    private long positionOf(TopicPartition partition) {
        Long offset = positions.offset(partition);
        return offset == null ? -1 : offset;
    }
}
