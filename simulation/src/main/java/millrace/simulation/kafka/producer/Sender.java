package millrace.simulation.kafka.producer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import millrace.simulation.kafka.broker.Broker;
import millrace.simulation.kafka.broker.ProduceRequest;
import millrace.simulation.kafka.broker.ProducerIdentity;
import millrace.simulation.kafka.network.ClientRequest;
import millrace.simulation.kafka.network.Connection;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Sends records in order, one request at a time, and runs callbacks, on a network thread of the process. */
final class Sender {
    private static final int MOST_RECORDS = 200;

    private final Connection connection;
    private final Broker broker;
    private final Consumer<RuntimeException> onFailure;
    private final Deque<Pending> queue = new ArrayDeque<>();
    private List<Pending> inFlight = List.of();
    private @Nullable ProducerIdentity identity;
    private @Nullable RuntimeException stopped;
    private boolean started;
    private long sequence;

    /**
     * A record that is not acknowledged yet.
     *
     * @param transaction number of its transaction, or 0
     * @param deadline when the record is given up
     */
    record Pending(
            ProducerRecord<String, byte[]> record,
            long transaction,
            long deadline,
            CompletableFuture<RecordMetadata> result,
            @Nullable Callback callback) {
        private void acknowledge(long offset) {
            var metadata = new RecordMetadata(
                    partition(),
                    offset,
                    0,
                    record.timestamp(),
                    -1,
                    record.value() == null ? -1 : record.value().length);
            if (callback != null) {
                callback.onCompletion(metadata, null);
            }
            result.complete(metadata);
        }

        void fail(RuntimeException error) {
            if (callback != null) {
                callback.onCompletion(new RecordMetadata(partition(), -1, -1, -1, -1, -1), error);
            }
            result.completeExceptionally(error);
        }

        private TopicPartition partition() {
            return new TopicPartition(record.topic(), record.partition());
        }
    }

    /** @param onFailure called with the error of a failed request, before its callbacks */
    Sender(Connection connection, Broker broker, Consumer<RuntimeException> onFailure) {
        this.connection = connection;
        this.broker = broker;
        this.onFailure = onFailure;
    }

    void identify(ProducerIdentity as) {
        identity = as;
    }

    void add(Pending pending, String threadName) {
        queue.add(pending);
        if (started) {
            connection.changed();
        } else {
            started = true;
            var unused =
                    connection.process().threads().virtual().name(threadName).start(this::run);
        }
    }

    boolean isIdle() {
        return queue.isEmpty() && inFlight.isEmpty();
    }

    boolean hasInFlight() {
        return !inFlight.isEmpty();
    }

    /** Gives up records that were not sent yet. */
    void drop(RuntimeException why) {
        List<Pending> dropped = List.copyOf(queue);
        queue.clear();
        dropped.forEach(pending -> pending.fail(why));
    }

    /** Gives up all records. */
    void stop(RuntimeException why) {
        stopped = why;
        drop(why);
        connection.changed();
    }

    private void run() {
        while (true) {
            connection.await(() -> stopped != null || !queue.isEmpty(), Long.MAX_VALUE);
            if (stopped != null) {
                return;
            }
            inFlight = batch();
            if (!inFlight.isEmpty()) {
                send(inFlight);
            }
            inFlight = List.of();
            connection.changed();
        }
    }

    /** The records to send next; empty where all waiting records were given up. */
    private List<Pending> batch() {
        List<Pending> batch = new ArrayList<>();
        while (!queue.isEmpty() && queue.getFirst().deadline() <= connection.now()) {
            RuntimeException error = expired(1);
            onFailure.accept(error);
            queue.removeFirst().fail(error);
        }
        while (!queue.isEmpty() && batch.size() < MOST_RECORDS) {
            batch.add(queue.remove());
        }
        return batch;
    }

    private void send(List<Pending> batch) {
        long number = ++sequence;
        List<ProducerRecord<String, byte[]>> records =
                batch.stream().map(Pending::record).toList();
        long transaction = batch.getFirst().transaction();
        ClientRequest<List<Long>> request =
                connection.write(() -> broker.produce(new ProduceRequest(identity(), transaction, number, records)));
        boolean done = connection.await(
                () -> stopped != null || request.isDone(), batch.getFirst().deadline());
        RuntimeException error = error(done, request, batch);
        if (error == null) {
            List<Long> offsets = request.get();
            for (int i = 0; i < batch.size(); i++) {
                batch.get(i).acknowledge(offsets.get(i));
            }
        } else {
            onFailure.accept(error);
            batch.forEach(pending -> pending.fail(error));
        }
    }

    private @Nullable RuntimeException error(boolean done, ClientRequest<?> request, List<Pending> batch) {
        if (request.isDone()) {
            return request.error();
        }
        request.abandon();
        return done ? stopped : expired(batch.size());
    }

    private static TimeoutException expired(int records) {
        return new TimeoutException("Expiring " + records + " record(s): delivery.timeout.ms has passed");
    }

    /** The producer's identity; an idempotent producer gets it with its first request. */
    private ProducerIdentity identity() {
        ProducerIdentity known = identity == null ? broker.transactions().newProducer() : identity;
        identity = known;
        return known;
    }
}
