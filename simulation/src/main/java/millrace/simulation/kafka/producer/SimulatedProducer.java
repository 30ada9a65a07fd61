package millrace.simulation.kafka.producer;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import millrace.simulation.kafka.broker.Broker;
import millrace.simulation.kafka.broker.TopicMetadata;
import millrace.simulation.kafka.network.ClientConfig;
import millrace.simulation.kafka.network.ClientRequest;
import millrace.simulation.kafka.network.Connection;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.clients.producer.internals.BuiltInPartitioner;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.jspecify.annotations.Nullable;

/** An idempotent producer of the simulated cluster, with transactions where it has a transactional id. Thread-safe. */
public final class SimulatedProducer implements Producer<String, byte[]> {
    private final Connection connection;
    private final Broker broker;
    private final ClientConfig config;
    private final Sender sender;
    private final @Nullable ProducerTransactions transactions;
    private final Map<String, List<PartitionInfo>> known = new LinkedHashMap<>();
    private boolean closed;

    public SimulatedProducer(Connection connection, Broker broker, ClientConfig config) {
        this.connection = connection;
        this.broker = broker;
        this.config = config;
        this.sender = new Sender(connection, broker, this::failed);
        String id = config.text("transactional.id");
        this.transactions = id == null ? null : new ProducerTransactions(connection, broker, sender, id, config);
    }

    @Override
    public void initTransactions() {
        transactions().init();
    }

    @Override
    public void beginTransaction() {
        transactions().begin();
    }

    @Override
    public void sendOffsetsToTransaction(
            Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata groupMetadata) {
        transactions().addOffsets(offsets, groupMetadata);
    }

    @Override
    public void commitTransaction() {
        transactions().commit();
    }

    @Override
    public void abortTransaction() {
        transactions().abort();
    }

    @Override
    public Future<RecordMetadata> send(ProducerRecord<String, byte[]> record) {
        return send(record, null);
    }

    @Override
    public Future<RecordMetadata> send(ProducerRecord<String, byte[]> record, @Nullable Callback callback) {
        mayYield();
        var result = new CompletableFuture<RecordMetadata>();
        try {
            int partitions = partitionsFor(record.topic()).size();
            long transaction = transactions == null ? 0 : transactions.sending();
            long deadline = connection.deadline(config.nanos("delivery.timeout.ms", 120_000));
            var pending = new Sender.Pending(place(record, partitions), transaction, deadline, result, callback);
            sender.add(pending, config.text("client.id", "producer") + "-network");
        } catch (ApiException e) {
            failed(e);
            new Sender.Pending(place(record, 1), 0, 0, result, callback).fail(e);
        }
        return result;
    }

    private ProducerRecord<String, byte[]> place(ProducerRecord<String, byte[]> record, int partitions) {
        Integer chosen = record.partition();
        String key = record.key();
        int partition;
        if (chosen != null) {
            partition = chosen;
        } else if (key != null) {
            partition = BuiltInPartitioner.partitionForKey(key.getBytes(StandardCharsets.UTF_8), partitions);
        } else {
            partition = connection.process().scheduler().random().nextInt(partitions);
        }
        Long timestamp = record.timestamp();
        return new ProducerRecord<>(
                record.topic(),
                partition,
                timestamp == null ? connection.process().threads().clock().millis() : timestamp,
                key,
                record.value(),
                record.headers());
    }

    @Override
    public void flush() {
        mayYield();
        connection.await(sender::isIdle, Long.MAX_VALUE);
    }

    @Override
    public List<PartitionInfo> partitionsFor(String topic) {
        List<PartitionInfo> found = known.get(topic);
        if (found != null) {
            return found;
        }
        ClientRequest<List<PartitionInfo>> request =
                connection.ask(() -> TopicMetadata.partitions(broker.logs(), topic));
        long deadline = connection.deadline(config.nanos("max.block.ms", 60_000));
        if (!connection.await(() -> closed || request.isDone(), deadline) || closed) {
            request.abandon();
            throw new TimeoutException("Topic " + topic + " not present in metadata");
        }
        known.put(topic, request.get());
        return request.get();
    }

    @Override
    public void close() {
        close(Duration.ofMillis(Long.MAX_VALUE));
    }

    /** Records that are not acknowledged within the timeout are given up. */
    @Override
    public void close(Duration timeout) {
        if (closed) {
            return;
        }
        mayYield();
        long nanos = timeout.compareTo(Duration.ofDays(1)) > 0 ? Long.MAX_VALUE : timeout.toNanos();
        try {
            connection.await(sender::isIdle, connection.deadline(nanos));
        } finally {
            closed = true;
            if (transactions != null) {
                transactions.close();
            }
            sender.stop(new KafkaException("Producer is closed forcefully."));
        }
    }

    @Override
    public Map<MetricName, ? extends Metric> metrics() {
        return Map.of();
    }

    @Override
    public Uuid clientInstanceId(Duration timeout) {
        throw new UnsupportedOperationException("clientInstanceId is not simulated");
    }

    @Override
    public void registerMetricForSubscription(KafkaMetric metric) {
        throw new UnsupportedOperationException("registerMetricForSubscription is not simulated");
    }

    @Override
    public void unregisterMetricFromSubscription(KafkaMetric metric) {
        throw new UnsupportedOperationException("unregisterMetricFromSubscription is not simulated");
    }

    private void failed(RuntimeException error) {
        if (transactions != null) {
            transactions.failed(error);
        }
    }

    private ProducerTransactions transactions() {
        mayYield();
        if (transactions == null) {
            throw new IllegalStateException("there is no transactional.id");
        }
        return transactions;
    }

    private void mayYield() {
        connection.process().mayYield();
        if (closed) {
            throw new IllegalStateException("Cannot perform operation after producer has been closed");
        }
    }
}
