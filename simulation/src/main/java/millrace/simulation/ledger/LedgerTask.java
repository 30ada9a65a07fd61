package millrace.simulation.ledger;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.Record;
import org.jspecify.annotations.Nullable;

/** The task of one partition: its step, its store, and the commands that are not decided yet. */
final class LedgerTask {
    private final TopicPartition partition;
    private final TopicPartition changelog;
    private final Processor<String, byte[], String, byte[]> step;
    private final LedgerStore store;
    private final Punctuations punctuations = new Punctuations();
    private final Deque<ConsumerRecord<String, byte[]>> buffer = new ArrayDeque<>();
    private @Nullable Long processed;
    private @Nullable Long current;
    private boolean running;
    private boolean commitNeeded;
    private boolean commitRequested;

    LedgerTask(
            TopicPartition partition,
            TopicPartition changelog,
            LedgerStore store,
            Processor<String, byte[], String, byte[]> step) {
        this.partition = partition;
        this.changelog = changelog;
        this.store = store;
        this.step = step;
    }

    TopicPartition partition() {
        return partition;
    }

    TopicPartition changelog() {
        return changelog;
    }

    LedgerStore store() {
        return store;
    }

    Punctuations punctuations() {
        return punctuations;
    }

    boolean running() {
        return running;
    }

    /** Starts the task, after its state is restored. */
    void begin(String application, Consumer<ProducerRecord<String, byte[]>> sink, LongSupplier millis) {
        step.init(new StepContext<>(application, this, sink, millis));
        running = true;
    }

    void add(ConsumerRecord<String, byte[]> command) {
        buffer.add(command);
    }

    /** Decides the next command; returns false where there is none. */
    boolean process() {
        ConsumerRecord<String, byte[]> command = buffer.poll();
        if (command == null) {
            return false;
        }
        current = command.offset();
        step.process(new Record<>(command.key(), command.value(), command.timestamp(), command.headers()));
        current = null;
        processed = command.offset();
        commitNeeded = true;
        return true;
    }

    void punctuate(long now) {
        if (running && punctuations.run(now)) {
            commitNeeded = true;
        }
    }

    /** The offset of the command that is being processed; null in a punctuation. */
    @Nullable
    Long current() {
        return current;
    }

    void requestCommit() {
        commitRequested = true;
    }

    boolean wantsCommit() {
        return commitRequested && commitNeeded;
    }

    boolean commitNeeded() {
        return commitNeeded;
    }

    /** Sends the changes since the last commit to the changelog. */
    void flush(Consumer<ProducerRecord<String, byte[]>> sink) {
        store.flush((key, value) ->
                sink.accept(new ProducerRecord<>(changelog.topic(), changelog.partition(), key, value)));
    }

    /** The offset of the next command, or null where none was decided. */
    @Nullable
    OffsetAndMetadata offset() {
        return processed == null ? null : new OffsetAndMetadata(processed + 1);
    }

    void committed() {
        commitNeeded = false;
        commitRequested = false;
    }

    void close() {
        step.close();
    }
}
