package millrace.processor.ledger.streams.internals;

import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.ToLongFunction;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.streams.processor.api.Record;

/** Hears what a stream thread does with its clients. Each thread has a listener of its own, for all of its tasks. */
public interface StreamThreadListener {
    /** The end of a partition that is not known. */
    long UNKNOWN = -1;

    /**
     * Called before each poll for commands.
     *
     * @param ends returns the end of a partition when it was last read, or {@link #UNKNOWN}
     */
    void readBy(ToLongFunction<TopicPartition> ends);

    /**
     * Waits if the commit is due and nothing is missing but answers of workers. Returns whether it did; the thread then
     * looks at its steps before it polls, so that what is decided meanwhile does not grow.
     */
    boolean awaitAnswers();

    /**
     * How long the thread may poll for commands: at most {@code longest}, and not beyond the time of the next commit.
     */
    Duration poll(Duration longest);

    /**
     * A commit, or a further step of it, begins, whatever caused it.
     *
     * @param sender sends a record to a topic in this transaction
     */
    void committing(BiConsumer<String, Record<String, byte[]>> sender);

    /** Kafka is about to be asked to end the transaction. From now on it may be committed. */
    void ending();

    /** The commit has ended. */
    void committed();

    /** The transaction was aborted, so that nothing waits for its commit. */
    void aborted();
}
