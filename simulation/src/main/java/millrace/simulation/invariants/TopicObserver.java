package millrace.simulation.invariants;

import java.util.function.BiConsumer;
import millrace.contracts.Topic;
import millrace.simulation.kafka.SimulatedKafka;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Reads what is committed to a topic, as soon as a reader of committed records would see it. */
public final class TopicObserver<V> {
    private final SimulatedKafka kafka;
    private final Topic<V> topic;
    private final BiConsumer<String, V> reader;
    private final long[] next;
    private final long[] ends;

    /** @param reader takes the key and the value of each record that is no tombstone, in the order of each partition */
    public TopicObserver(SimulatedKafka kafka, Topic<V> topic, int partitions, BiConsumer<String, V> reader) {
        this.kafka = kafka;
        this.topic = topic;
        this.reader = reader;
        this.next = new long[partitions];
        this.ends = new long[partitions];
    }

    public void look() {
        for (int partition = 0; partition < next.length; partition++) {
            long end = kafka.end(topic.name(), partition);
            if (end == ends[partition]) {
                continue; // nothing was written, so nothing was committed
            }
            ends[partition] = end;
            for (ConsumerRecord<String, byte[]> record : kafka.committed(topic.name(), partition, next[partition])) {
                next[partition] = record.offset() + 1;
                if (record.value() != null) {
                    reader.accept(record.key(), topic.decode(record.value()));
                }
            }
        }
    }
}
