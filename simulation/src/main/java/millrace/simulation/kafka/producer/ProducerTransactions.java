package millrace.simulation.kafka.producer;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import millrace.simulation.kafka.broker.Broker;
import millrace.simulation.kafka.broker.ProducerIdentity;
import millrace.simulation.kafka.group.OffsetCommitRequest;
import millrace.simulation.kafka.network.ClientConfig;
import millrace.simulation.kafka.network.ClientRequest;
import millrace.simulation.kafka.network.Connection;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.FencedInstanceIdException;
import org.apache.kafka.common.errors.IllegalGenerationException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TransactionAbortedException;
import org.apache.kafka.common.errors.UnknownMemberIdException;
import org.jspecify.annotations.Nullable;

/** The transaction state of one producer, also after errors. */
final class ProducerTransactions {
    private final Connection connection;
    private final Broker broker;
    private final Sender sender;
    private final String id;
    private final long timeoutNanos;
    private final long mostBlockedNanos;
    private State state = State.UNINITIALIZED;
    private @Nullable ProducerIdentity identity;
    private @Nullable RuntimeException error;
    private @Nullable ClientRequest<Boolean> ending;
    private long number;
    private boolean begun;
    private boolean closed;

    private enum State {
        UNINITIALIZED,
        READY,
        IN_TRANSACTION,
        ABORTABLE_ERROR,
        FATAL_ERROR
    }

    ProducerTransactions(Connection connection, Broker broker, Sender sender, String id, ClientConfig config) {
        this.connection = connection;
        this.broker = broker;
        this.sender = sender;
        this.id = id;
        this.timeoutNanos = config.nanos("transaction.timeout.ms", 60_000);
        this.mostBlockedNanos = config.nanos("max.block.ms", 60_000);
    }

    void init() {
        check(State.UNINITIALIZED);
        ClientRequest<ProducerIdentity> request =
                connection.send(answer -> broker.transactions().init(id, timeoutNanos, answer));
        await(request::isDone, "initTransactions");
        identity = request.get();
        sender.identify(identity);
        state = State.READY;
    }

    void begin() {
        check(State.READY);
        state = State.IN_TRANSACTION;
        number++;
        begun = false;
    }

    /** The number of the current transaction, for a record that is sent. */
    long sending() {
        check(State.IN_TRANSACTION);
        begun = true;
        return number;
    }

    void addOffsets(Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group) {
        check(State.IN_TRANSACTION);
        if (offsets.isEmpty()) {
            return;
        }
        begun = true;
        var commit = new OffsetCommitRequest(
                group.groupId(),
                group.memberId(),
                group.groupInstanceId().orElse(null),
                group.generationId(),
                new LinkedHashMap<>(offsets));
        ProducerIdentity as = identity();
        long of = number;
        ClientRequest<Boolean> request = connection.write(() -> {
            broker.transactions().addOffsets(as, of, commit);
            return true;
        });
        await(request::isDone, "sendOffsetsToTransaction");
        if (request.error() != null) {
            failed(request.error());
            throw thrown();
        }
    }

    void commit() {
        if (ending == null) {
            check(State.IN_TRANSACTION);
            await(() -> sender.isIdle() || error != null, "commitTransaction");
            if (error != null) {
                throw error;
            }
        }
        end(true);
    }

    void abort() {
        if (state != State.ABORTABLE_ERROR) {
            check(State.IN_TRANSACTION);
        }
        sender.drop(new TransactionAbortedException());
        await(() -> !sender.hasInFlight(), "abortTransaction");
        end(false);
    }

    /** To be called when a request of this producer has failed. */
    void failed(RuntimeException cause) {
        if (state == State.FATAL_ERROR) {
            return;
        }
        switch (cause) {
            case ProducerFencedException e -> fatal(e);
            case IllegalGenerationException e -> abortable(groupChanged(e));
            case UnknownMemberIdException e -> abortable(groupChanged(e));
            case FencedInstanceIdException e -> abortable(e);
            case InvalidProducerEpochException e -> abortable(e);
            case TimeoutException e -> abortable(e);
            default -> fatal(cause);
        }
    }

    /** Gives up everything that waits. */
    void close() {
        closed = true;
        connection.changed();
    }

    private void end(boolean commit) {
        if (begun) {
            ProducerIdentity as = identity();
            long of = number;
            if (ending == null) {
                ending = connection.write(() -> {
                    broker.transactions().end(as, of, commit);
                    return true;
                });
            }
            ClientRequest<Boolean> request = ending;
            await(request::isDone, commit ? "commitTransaction" : "abortTransaction");
            ending = null;
            if (request.error() != null) {
                fatal(request.error());
                throw thrown();
            }
        }
        state = State.READY;
        error = null;
    }

    private static CommitFailedException groupChanged(RuntimeException cause) {
        return new CommitFailedException(
                "Transaction offset Commit failed due to consumer group metadata mismatch: " + cause.getMessage());
    }

    private void abortable(RuntimeException cause) {
        state = State.ABORTABLE_ERROR;
        error = cause;
    }

    private void fatal(RuntimeException cause) {
        state = State.FATAL_ERROR;
        error = cause;
    }

    private RuntimeException thrown() {
        return error == null ? new IllegalStateException("no error") : error;
    }

    private void check(State needed) {
        if (state == needed) {
            return;
        }
        switch (error) {
            case null -> throw new IllegalStateException(id + " is " + state + ", and not " + needed);
            case ProducerFencedException e -> throw new ProducerFencedException(e.getMessage());
            case InvalidProducerEpochException e -> throw new InvalidProducerEpochException(e.getMessage());
            default ->
                throw new KafkaException("Cannot execute transactional method because we are in an error state", error);
        }
    }

    private ProducerIdentity identity() {
        if (identity == null) {
            throw new IllegalStateException("initTransactions() was not called");
        }
        return identity;
    }

    private void await(BooleanSupplier condition, String method) {
        boolean done =
                connection.await(() -> closed || condition.getAsBoolean(), connection.deadline(mostBlockedNanos));
        if (closed) {
            throw new KafkaException("Producer closed while " + method + " was in progress");
        }
        if (!done) {
            throw new TimeoutException("Timeout expired while awaiting " + method);
        }
    }
}
