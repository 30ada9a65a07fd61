package millrace.gateway;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import millrace.contracts.accounts.AccountState;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.AccountCommand.RequestReport;
import millrace.contracts.reports.ErrorCode;
import millrace.contracts.reports.ReportPhase;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.Status;
import millrace.contracts.requests.ApiDialect;
import millrace.contracts.topics.CloudEvent;
import millrace.contracts.topics.RequestRecord;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Plays the processor: writes what it would write, and reads what the gateway has appended. */
public final class FakeProcessor implements AutoCloseable {
    private static final int PARTITIONS = 3;
    private static final Instant NOON = Instant.parse("2026-06-01T12:00:00Z");

    private final String bootstrapServers;
    private final KafkaProducer<String, byte[]> producer;

    public FakeProcessor(String bootstrapServers) {
        this.bootstrapServers = bootstrapServers;
        this.producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrapServers, "linger.ms", 0),
                new StringSerializer(),
                new ByteArraySerializer());
    }

    public void balance(String account, long remaining, int open) {
        var state = new AccountState(account, remaining, 0, 0, remaining, open, 0);
        send(Topics.ACCOUNT_STATE, account, Topics.ACCOUNT_STATE.encode(state));
    }

    public void status(ReportStatus status) {
        var record = new ProducerRecord<>(
                Topics.REPORT_STATUS.name(),
                Topics.reportKey(status.accountId(), status.reportId()),
                Topics.REPORT_STATUS.encode(status));
        new RequestRecord(status.submittedAt(), null).addTo(record.headers());
        send(record);
    }

    /** The tombstones of a report that is erased. */
    public void erased(String account, UUID id) {
        for (Topic<?> topic : List.of(Topics.REPORT_STATUS, Topics.REPORT_REQUESTS)) {
            var record = new ProducerRecord<String, byte[]>(topic.name(), Topics.reportKey(account, id), null);
            CloudEvent.erased(id, NOON).headers().forEach(record.headers()::add);
            send(record);
        }
    }

    public void request(String account, RequestReport request) {
        send(new ProducerRecord<>(
                Topics.REPORT_REQUESTS.name(),
                null,
                request.submittedAt().toEpochMilli(),
                Topics.reportKey(account, request.reportId()),
                Topics.REPORT_REQUESTS.encode(request)));
    }

    /** What the notifier, or the processor for it, would write. */
    public <V> void put(Topic<V> topic, String key, V value) {
        send(topic, key, topic.encode(value));
    }

    /** A transaction that holds up whoever reads what is committed, until it is closed; so does what an account's writer appends. */
    <V> KafkaProducer<String, byte[]> open(Topic<V> topic, String key, V value) {
        var transaction = new KafkaProducer<>(
                Map.of("bootstrap.servers", bootstrapServers, "transactional.id", "open-" + UUID.randomUUID()),
                new StringSerializer(),
                new ByteArraySerializer());
        transaction.initTransactions();
        transaction.beginTransaction();
        var unused = transaction.send(new ProducerRecord<>(topic.name(), key, topic.encode(value)));
        transaction.flush();
        return transaction;
    }

    /** As {@link #put}, without waiting; {@link #flush} waits for all. */
    public <V> void putSoon(Topic<V> topic, String key, V value) {
        var unused = producer.send(new ProducerRecord<>(topic.name(), key, topic.encode(value)));
    }

    public void flush() {
        producer.flush();
    }

    static ReportStatus rendering(String account, UUID id, int sequence) {
        return rendering(account, id, 1, sequence);
    }

    public static ReportStatus complete(String account, UUID id, int sequence, ReportStatus.Result result) {
        return rendering(account, id, 1, sequence - 1).completed(result, NOON.plusSeconds(sequence));
    }

    /** A report that was cancelled. */
    public static ReportStatus ended(String account, UUID id) {
        return failed(account, id, 1, 2, ErrorCode.CANCELLED);
    }

    /** A report that is processing. */
    public static ReportStatus open(String account, UUID id) {
        return rendering(account, id, 1);
    }

    static ReportStatus failed(String account, UUID id, int attempt, int sequence, ErrorCode code) {
        var failure = new ReportStatus.Failure(code, "it did not work out", code.retryable());
        return rendering(account, id, attempt, sequence - 1).failed(attempt, failure, NOON.plusSeconds(sequence));
    }

    static ReportStatus rendering(String account, UUID id, int attempt, int sequence) {
        return new ReportStatus(
                account,
                id,
                "demographics",
                Status.PROCESSING,
                ApiDialect.V3,
                attempt,
                sequence,
                NOON,
                NOON.plusSeconds(sequence),
                8,
                new ReportStatus.Progress(ReportPhase.RENDERING, 0.5),
                null,
                null,
                new ReportStatus.Receipt(8, 0, 0, "1 credit per result", List.of(id + ".1.reservation")));
    }

    /** All commands so far, in their order. */
    public List<AccountCommand> commands() {
        List<AccountCommand> commands = new ArrayList<>();
        for (byte[] value : values(Topics.ACCOUNT_COMMANDS)) {
            commands.add(Topics.ACCOUNT_COMMANDS.decode(value));
        }
        return commands;
    }

    public List<byte[]> values(Topic<?> topic) {
        List<byte[]> values = new ArrayList<>();
        try (var consumer = consumer()) {
            List<TopicPartition> partitions = partitions(topic);
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (partitions.stream().anyMatch(p -> consumer.position(p) < ends.getOrDefault(p, 0L))) {
                for (ConsumerRecord<String, byte[]> record : consumer.poll(java.time.Duration.ofMillis(200))) {
                    values.add(record.value());
                }
            }
        }
        return values;
    }

    /** Of all topics that a gateway can write to, but for what gateways tell each other of the requests they get. */
    long appended() {
        try (var consumer = consumer()) {
            List<TopicPartition> partitions = Topics.ALL.stream()
                    .filter(topic -> !topic.equals(Topics.KEY_USES) && !topic.equals(Topics.PASSED_REQUESTS))
                    .flatMap(t -> partitions(t).stream())
                    .toList();
            return consumer.endOffsets(partitions).values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
        }
    }

    @Override
    public void close() {
        producer.close();
    }

    private void send(Topic<?> topic, String key, byte[] value) {
        send(new ProducerRecord<>(topic.name(), key, value));
    }

    private void send(ProducerRecord<String, byte[]> record) {
        try {
            producer.send(record).get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    private KafkaConsumer<String, byte[]> consumer() {
        return new KafkaConsumer<>(
                Map.of("bootstrap.servers", bootstrapServers), new StringDeserializer(), new ByteArrayDeserializer());
    }

    private static List<TopicPartition> partitions(Topic<?> topic) {
        return IntStream.range(0, PARTITIONS)
                .mapToObj(p -> new TopicPartition(topic.name(), p))
                .toList();
    }
}
