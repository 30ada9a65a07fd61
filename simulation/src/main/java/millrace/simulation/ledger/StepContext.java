package millrace.simulation.ledger;

import java.io.File;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import millrace.processor.ledger.streams.ReportTopology;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsMetrics;
import org.apache.kafka.streams.processor.Cancellable;
import org.apache.kafka.streams.processor.PunctuationType;
import org.apache.kafka.streams.processor.Punctuator;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * The processor context of an account step.
 *
 * @param <K> String; a type parameter as V is, since a bound cannot be an array type
 * @param <V> byte[]
 */
final class StepContext<K, V> implements ProcessorContext<K, V> {
    private final String application;
    private final LedgerTask task;
    private final Consumer<ProducerRecord<String, byte[]>> sink;
    private final LongSupplier millis;

    /**
     * @param sink sends records in the transaction of the thread
     * @param millis the time of Streams
     */
    StepContext(
            String application, LedgerTask task, Consumer<ProducerRecord<String, byte[]>> sink, LongSupplier millis) {
        this.application = application;
        this.task = task;
        this.sink = sink;
        this.millis = millis;
    }

    /** Forwards to a sink, which has the name of its topic. */
    @Override
    public <A extends K, B extends V> void forward(Record<A, B> record, String child) {
        if (ReportTopology.outputs().stream().noneMatch(topic -> topic.name().equals(child))) {
            throw new IllegalArgumentException("the step has no child " + child);
        }
        sink.accept(new ProducerRecord<>(
                child, null, record.timestamp(), (String) record.key(), (byte[]) record.value(), record.headers()));
    }

    @Override
    public <A extends K, B extends V> void forward(Record<A, B> record) {
        throw new UnsupportedOperationException("a record goes to one sink");
    }

    @Override
    public Cancellable schedule(Duration interval, PunctuationType type, Punctuator punctuator) {
        if (type != PunctuationType.WALL_CLOCK_TIME) {
            throw new UnsupportedOperationException(type + " is not modelled");
        }
        return task.punctuations().schedule(currentSystemTimeMs(), interval.toMillis(), punctuator);
    }

    @Override
    public Cancellable schedule(Instant start, Duration interval, PunctuationType type, Punctuator punctuator) {
        throw new UnsupportedOperationException("anchored punctuations are not modelled");
    }

    @Override
    public void commit() {
        task.requestCommit();
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as in Streams, the caller knows the type
    public <S extends StateStore> S getStateStore(String name) {
        if (!task.store().name().equals(name)) {
            throw new IllegalArgumentException("the step has no store " + name);
        }
        return (S) task.store();
    }

    @Override
    public long currentSystemTimeMs() {
        return millis.getAsLong();
    }

    @Override
    public long currentStreamTimeMs() {
        throw new UnsupportedOperationException("stream time is not modelled");
    }

    @Override
    public String applicationId() {
        return application;
    }

    @Override
    public TaskId taskId() {
        return new TaskId(0, task.partition().partition());
    }

    @Override
    public Optional<RecordMetadata> recordMetadata() {
        return Optional.ofNullable(task.current()).map(offset -> metadata(task.partition(), offset));
    }

    private static RecordMetadata metadata(TopicPartition partition, long offset) {
        return new RecordMetadata() {
            @Override
            public String topic() {
                return partition.topic();
            }

            @Override
            public int partition() {
                return partition.partition();
            }

            @Override
            public long offset() {
                return offset;
            }
        };
    }

    @Override
    public Serde<?> keySerde() {
        return Serdes.String();
    }

    @Override
    public Serde<?> valueSerde() {
        return Serdes.ByteArray();
    }

    @Override
    public File stateDir() {
        throw new UnsupportedOperationException("there are no files");
    }

    @Override
    public StreamsMetrics metrics() {
        throw new UnsupportedOperationException("metrics are not modelled");
    }

    @Override
    public Map<String, Object> appConfigs() {
        return Map.of();
    }

    @Override
    public Map<String, Object> appConfigsWithPrefix(String prefix) {
        return Map.of();
    }
}
