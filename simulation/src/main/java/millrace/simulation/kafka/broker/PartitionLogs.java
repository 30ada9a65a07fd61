package millrace.simulation.kafka.broker;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import millrace.simulation.kafka.network.ResponseCallback;
import millrace.simulation.kernel.Scheduler;
import millrace.simulation.kernel.Timer;
import org.apache.kafka.common.TopicPartition;

/** All partitions, and the fetches that wait for new records. */
public final class PartitionLogs {
    private final Scheduler scheduler;
    private final Map<String, List<PartitionLog>> topics = new TreeMap<>();
    private final Map<TopicPartition, List<WaitingFetch>> waiting = new LinkedHashMap<>();

    /**
     * A request for records.
     *
     * @param offsets where to begin, by partition
     * @param most greatest number of records
     * @param waitNanos how long to wait for the first record
     */
    public record Fetch(Map<TopicPartition, Long> offsets, boolean committedOnly, int most, long waitNanos) {}

    private final class WaitingFetch {
        private final Fetch fetch;
        private final ResponseCallback<Map<TopicPartition, FetchResult>> answer;
        private final Timer timeout;

        private WaitingFetch(Fetch fetch, ResponseCallback<Map<TopicPartition, FetchResult>> answer) {
            this.fetch = fetch;
            this.answer = answer;
            this.timeout = scheduler.timer(fetch.waitNanos(), this::answer);
            fetch.offsets().keySet().forEach(p -> waiting.computeIfAbsent(p, q -> new ArrayList<>())
                    .add(this));
        }

        private void answer() {
            timeout.cancel();
            fetch.offsets().keySet().forEach(p -> waiting.getOrDefault(p, List.of())
                    .remove(this));
            answer.value(read(fetch));
        }
    }

    PartitionLogs(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    public void createTopic(String name, int partitions) {
        List<PartitionLog> logs = new ArrayList<>();
        for (int i = 0; i < partitions; i++) {
            logs.add(new PartitionLog(new TopicPartition(name, i)));
        }
        topics.put(name, logs);
    }

    public int partitions(String topic) {
        return of(topic).size();
    }

    /** The offset after the last record or marker. */
    public long end(TopicPartition partition) {
        return log(partition).end();
    }

    /** A supplier of the {@link #end} of a partition. */
    public LongSupplier ends(TopicPartition partition) {
        return log(partition)::end;
    }

    /** The end for read_committed consumers. */
    public long lastStable(TopicPartition partition) {
        return log(partition).lastStable();
    }

    public FetchResult read(TopicPartition partition, long from, boolean committedOnly, int most) {
        return log(partition).read(from, committedOnly, most);
    }

    /** Answers once there are records, or after the wait. */
    public void fetch(Fetch fetch, ResponseCallback<Map<TopicPartition, FetchResult>> answer) {
        Map<TopicPartition, FetchResult> found = read(fetch);
        if (found.isEmpty()) {
            var unused = new WaitingFetch(fetch, answer);
        } else {
            answer.value(found);
        }
    }

    PartitionLog log(TopicPartition partition) {
        return of(partition.topic()).get(partition.partition());
    }

    /** To be called when a partition has changed; answers the fetches that wait for it. */
    void changed(TopicPartition partition) {
        List<WaitingFetch> fetches = waiting.get(partition);
        if (fetches != null && !fetches.isEmpty()) {
            List.copyOf(fetches).stream()
                    .filter(waiting -> hasNews(partition, waiting.fetch))
                    .forEach(WaitingFetch::answer);
        }
    }

    private boolean hasNews(TopicPartition partition, Fetch fetch) {
        PartitionLog log = log(partition);
        return (fetch.committedOnly() ? log.lastStable() : log.end())
                > fetch.offsets().getOrDefault(partition, Long.MAX_VALUE);
    }

    private Map<TopicPartition, FetchResult> read(Fetch fetch) {
        Map<TopicPartition, FetchResult> found = new LinkedHashMap<>();
        fetch.offsets().forEach((partition, from) -> {
            if (hasNews(partition, fetch)) {
                found.put(partition, log(partition).read(from, fetch.committedOnly(), fetch.most()));
            }
        });
        return found;
    }

    private List<PartitionLog> of(String topic) {
        List<PartitionLog> logs = topics.get(topic);
        if (logs == null) {
            throw new IllegalStateException("there is no topic " + topic);
        }
        return logs;
    }
}
