package millrace.simulation.invariants;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import millrace.contracts.topics.Topic;
import millrace.simulation.kafka.SimulatedKafka;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Reads committed records of a topic, as soon as a read_committed consumer would see them. */
public final class TopicObserver<V> {
    private final SimulatedKafka kafka;
    private final Topic<V> topic;
    private final BiConsumer<String, V> reader;
    private final long[] next;
    private final long[] seen;
    private final List<LongSupplier> ends;

    /** @param reader receives the key and value of each record except tombstones, in the order of each partition */
    public TopicObserver(SimulatedKafka kafka, Topic<V> topic, int partitions, BiConsumer<String, V> reader) {
        this.kafka = kafka;
        this.topic = topic;
        this.reader = reader;
        this.next = new long[partitions];
        this.seen = new long[partitions];
        this.ends = IntStream.range(0, partitions)
                .mapToObj(partition -> kafka.ends(topic.name(), partition))
                .toList();
    }

    public void readCommitted() {
        for (int partition = 0; partition < next.length; partition++) {
            long end = ends.get(partition).getAsLong();
            if (end == seen[partition]) {
                continue; // nothing was appended, so nothing was committed
            }
            seen[partition] = end;
            for (ConsumerRecord<String, byte[]> record : kafka.committed(topic.name(), partition, next[partition])) {
                next[partition] = record.offset() + 1;
                if (record.value() != null) {
                    reader.accept(record.key(), topic.decode(record.value()));
                }
            }
        }
    }

    /** Whether all committed records have been read, since none is behind an open transaction. */
    public boolean complete() {
        return IntStream.range(0, next.length)
                .allMatch(partition -> kafka.lastStable(topic.name(), partition)
                        == ends.get(partition).getAsLong());
    }
}
