package millrace.simulation.processor;

import java.util.function.Consumer;
import millrace.contracts.topics.Topic;
import millrace.simulation.kafka.SimulatedKafka;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Reads the committed records of a topic, each of them once. */
final class CommittedRecords<V> {
    private final SimulatedKafka kafka;
    private final Topic<V> topic;
    private final long[] next;
    private final long[] ends;

    CommittedRecords(SimulatedKafka kafka, Topic<V> topic, int partitions) {
        this.kafka = kafka;
        this.topic = topic;
        this.next = new long[partitions];
        this.ends = new long[partitions];
    }

    /** Passes on the records that were committed since the last call. */
    void read(Consumer<V> action) {
        for (int partition = 0; partition < next.length; partition++) {
            long end = kafka.end(topic.name(), partition);
            if (end == ends[partition]) {
                continue; // the end of a transaction moves the end of the log, too
            }
            ends[partition] = end;
            for (ConsumerRecord<String, byte[]> record : kafka.committed(topic.name(), partition, next[partition])) {
                next[partition] = record.offset() + 1;
                action.accept(topic.decode(record.value()));
            }
        }
    }
}
