package millrace.processor.repartition;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import millrace.contracts.topics.Topics;
import millrace.processor.ledger.state.RepartitionedState;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** Copies topics, and reads each copy to its end to compare it with what was written. */
final class TopicCopy {
    private static final String CLIENT = "repartition";
    /** So many records are told at once. */
    private static final int TOLD = 1000;

    /**
     * What is to be copied.
     *
     * @param topic by its own name, whatever the two are called
     * @param from name of the topic to read
     * @param fromPartitions its partitions
     * @param to name of the topic to write, which is empty
     * @param toPartitions its partitions
     * @param offsets what groups have committed in the topic that is read, by group and partition
     */
    record CopiedTopic(
            String topic,
            String from,
            int fromPartitions,
            String to,
            int toPartitions,
            Map<String, Map<Integer, Commit>> offsets) {
        boolean movesKeys() {
            return fromPartitions != toPartitions;
        }
    }

    /**
     * A topic was copied, and the copy read again.
     *
     * @param records in the copy
     * @param bytes of their keys and values
     * @param readSum of the records as they were read
     * @param writtenSum of the records as they were written
     * @param ends of the partitions of the copy
     * @param offsets what groups have to commit in the copy, by group and partition
     */
    record Copied(
            long records,
            long bytes,
            long readSum,
            long writtenSum,
            List<Long> ends,
            Map<String, Map<Integer, Commit>> offsets) {
        public Copied {
            ends = List.copyOf(ends);
            offsets = Map.copyOf(offsets);
        }
    }

    private final KafkaSettings kafka;
    private final Progress progress;
    private final TopicReader reader;

    TopicCopy(KafkaSettings kafka, Progress progress) {
        this.kafka = kafka;
        this.progress = progress;
        this.reader = new TopicReader(kafka, CLIENT);
    }

    /**
     * Copies a topic that no other one points into.
     *
     * @throws RepartitionException if a record is not where its key belongs, or the copy is not what was written
     */
    Copied copy(CopiedTopic topic) {
        boolean ledger = topic.topic().equals(Topics.LEDGER_CHANGELOG) && topic.movesKeys();
        return copy(topic, ledger ? new LedgerStateChange(topic.toPartitions()) : RecordChange.NONE);
    }

    /**
     * Copies deliveries and the states that point to them.
     *
     * @throws RepartitionException as above
     */
    List<Copied> copy(CopiedTopic deliveries, CopiedTopic states) {
        var backlogs = new MovedBacklogs(deliveries.toPartitions());
        reader.forEach(states.from(), backlogs::found);
        return List.of(copy(deliveries, backlogs.ofDeliveries()), copy(states, backlogs.ofStates()));
    }

    private Copied copy(CopiedTopic topic, RecordChange change) {
        var read = new RecordSums();
        Map<String, MovedOffsets> moved = new TreeMap<>();
        topic.offsets().forEach((group, commits) -> moved.put(group, moved(topic, group, commits)));
        try (Consumer<byte[], byte[]> consumer = reader.consumer();
                var writer = new CopyWriter(kafka, topic.to(), topic.toPartitions())) {
            var records = new MergedRecords(
                    consumer, TopicReader.ends(consumer, topic.from()), (partition, offset) -> moved.values().stream()
                            .mapToInt(offsets -> offsets.level(partition, offset))
                            .sum());
            var told = new Told();
            for (var next = records.next(); next != null; next = records.next()) {
                told.one(next);
                copy(topic, next, change, read, writer, moved.values());
            }
            for (int partition = 0; partition < topic.toPartitions(); partition++) {
                for (RecordChange.Addition more : change.additions(partition)) {
                    long unused =
                            writer.write(partition, more.key(), more.value(), new RecordHeaders(), more.timestamp());
                }
            }
            told.all();
            writer.finish();
            change.ended(writer::end);
            compare(topic, writer.sums());
            return copied(topic, read, writer, moved);
        }
    }

    private static void copy(
            CopiedTopic topic,
            ConsumerRecord<byte[], byte[]> record,
            RecordChange change,
            RecordSums read,
            CopyWriter writer,
            Collection<MovedOffsets> moved) {
        long time = Math.max(0, record.timestamp());
        read.add(record.partition(), record.key(), record.value(), record.headers(), time);
        int partition = partition(topic, record);
        if (change.keeps(record)) {
            long offset = writer.write(partition, record.key(), change.value(record), record.headers(), time);
            change.copied(record, partition, offset);
            moved.forEach(offsets -> offsets.copied(record.partition(), record.offset(), partition, offset));
        }
    }

    private static MovedOffsets moved(CopiedTopic topic, String group, Map<Integer, Commit> commits) {
        try {
            return MovedOffsets.of(group, commits, topic.fromPartitions(), topic.toPartitions());
        } catch (IllegalArgumentException e) {
            throw new RepartitionException(
                    e.getMessage() + ". Start the services, let them do it, stop them, and try again.");
        }
    }

    private static Copied copied(
            CopiedTopic topic, RecordSums read, CopyWriter writer, Map<String, MovedOffsets> moved) {
        Map<String, Map<Integer, Commit>> offsets = new HashMap<>();
        moved.forEach((group, of) -> offsets.put(group, of.result(topic.toPartitions(), writer::end)));
        List<Long> ends = new ArrayList<>();
        for (int partition = 0; partition < topic.toPartitions(); partition++) {
            ends.add(writer.end(partition));
        }
        return new Copied(
                writer.sums().records(),
                writer.sums().bytes(),
                read.sum(),
                writer.sums().sum(),
                ends,
                offsets);
    }

    /** The partition of the copy. A record that is not where its key belongs is refused. */
    private static int partition(CopiedTopic topic, ConsumerRecord<byte[], byte[]> record) {
        if (record.key() == null) {
            return record.partition() % topic.toPartitions();
        }
        String key = new String(record.key(), StandardCharsets.UTF_8);
        Placement placement = Placement.in(topic.topic());
        try {
            OptionalInt now = placement.of(key, topic.fromPartitions());
            if (now.isPresent() && now.getAsInt() != record.partition()) {
                throw new RepartitionException("topic " + topic.from() + " has the key " + key + " in partition "
                        + record.partition() + ", and it belongs to partition " + now.getAsInt() + " of "
                        + topic.fromPartitions()
                        + ": partitions were added to a topic in use, or somebody writes with another partitioner."
                        + " Nothing was changed that --undo does not take back.");
            }
            return placement.of(key, topic.toPartitions()).orElse(record.partition() % topic.toPartitions());
        } catch (IllegalArgumentException e) {
            throw new RepartitionException("topic " + topic.from() + " has a record of a build that this one does not"
                    + " know, in partition " + record.partition() + " at offset " + record.offset() + ": "
                    + e.getMessage() + ". Use the command of that build.");
        } catch (SerializationException e) {
            throw new RepartitionException("topic " + topic.from() + " has an unreadable record in partition "
                    + record.partition() + " at offset " + record.offset() + ": " + e.getMessage());
        }
    }

    private void compare(CopiedTopic topic, RecordSums written) {
        var read = new RecordSums();
        var told = new Told();
        reader.forEach(topic.to(), record -> {
            told.one(record);
            read.add(record.partition(), record.key(), record.value(), record.headers(), record.timestamp());
        });
        told.all();
        for (int partition = 0; partition < topic.toPartitions(); partition++) {
            RecordSums.Ordered is = read.of(partition);
            RecordSums.Ordered expected = written.of(partition);
            if (!is.equals(expected)) {
                throw new RepartitionException(
                        "topic " + topic.to() + " does not hold what was written to it: partition "
                                + partition + " has " + is.records() + " records of " + expected.records()
                                + (is.records() == expected.records() ? ", and they differ" : "")
                                + ". Run the command again; it begins this topic anew.");
            }
        }
    }

    /** Tells the progress. */
    private final class Told {
        private long records;
        private long bytes;

        void one(ConsumerRecord<byte[], byte[]> record) {
            records++;
            bytes += Math.max(0, record.serializedKeySize()) + Math.max(0, record.serializedValueSize());
            if (records == TOLD) {
                all();
            }
        }

        void all() {
            progress.did(records, bytes);
            records = 0;
            bytes = 0;
        }
    }

    /** Divides the records of the ledger's changelog among another number of partitions. */
    private static final class LedgerStateChange implements RecordChange {
        private final RepartitionedState state;
        private long newest;

        /** @param partitions of the copy */
        LedgerStateChange(int partitions) {
            this.state = new RepartitionedState(partitions);
        }

        @Override
        public boolean keeps(ConsumerRecord<byte[], byte[]> record) {
            newest = Math.max(newest, record.timestamp());
            return state.keeps(record.partition(), new String(record.key(), StandardCharsets.UTF_8), record.value());
        }

        @Override
        public List<Addition> additions(int partition) {
            return state.of(partition).entrySet().stream()
                    .map(own -> new Addition(own.getKey().getBytes(StandardCharsets.UTF_8), own.getValue(), newest))
                    .toList();
        }
    }
}
