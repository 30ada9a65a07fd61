package millrace.gateway.copy.reports;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import millrace.contracts.accounts.AccountState;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.AccountCommand.Idempotency;
import millrace.contracts.commands.AccountCommand.RequestReport;
import millrace.contracts.commands.AccountCommand.RetryReport;
import millrace.contracts.reports.ErrorCode;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.topics.CloudEvent;
import millrace.contracts.topics.RequestRecord;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.gateway.copy.CopiedTopics;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/** Topics as gateways and the ledger write them: some reports have ended, some are forgotten, some are not decided. */
final class WrittenTopics {
    static final int REPORTS = 24;
    private static final int PARTITIONS = 2;
    private static final int EPOCH = 4;

    final Map<TopicPartition, List<ConsumerRecord<String, byte[]>>> records =
            new TreeMap<>((one, other) -> one.toString().compareTo(other.toString()));
    /** The newest that Kafka knows. */
    int epoch = EPOCH;
    /** Commands before these offsets are decided. */
    private final Map<TopicPartition, Long> committed = new HashMap<>();

    /** Of statuses, those that say what is needed of the request. */
    private final double share;

    WrittenTopics(Random random, double share) {
        this.share = share;
        int decided = REPORTS / 2 + random.nextInt(REPORTS / 2);
        for (int n = 0; n < REPORTS; n++) {
            report(n, n < decided, random);
        }
    }

    private void report(int n, boolean decided, Random random) {
        RequestReport request = SampleRecords.request(n, random.nextBoolean() ? key(n) : null);
        UUID id = request.reportId();
        String key = Topics.reportKey(SampleRecords.ACCOUNT, id);
        command(n, request);
        if (!decided) {
            return;
        }
        put(Topics.REPORT_REQUESTS, n, key, request);
        Consumer<ReportStatus> statuses = status -> {
            var headers = new RecordHeaders();
            if (random.nextDouble() < share) {
                RequestRecord.of(request.idempotency(), SampleRecords.NOON).addTo(headers);
            }
            put(Topics.REPORT_STATUS, n, key, status, headers);
        };
        statuses.accept(SampleRecords.processing(n, 1, 1));
        switch (random.nextInt(8)) {
            case 0 -> {}
            case 1 -> statuses.accept(SampleRecords.complete(n, 1, 2));
            case 2 -> statuses.accept(SampleRecords.failed(n, 1, 2, ErrorCode.RENDER_FAILED));
            case 3 -> statuses.accept(SampleRecords.failed(n, 1, 2, ErrorCode.IDEMPOTENCY_CONFLICT));
            case 4 -> {
                statuses.accept(SampleRecords.failed(n, 1, 2, ErrorCode.RENDER_FAILED));
                command(n, new RetryReport(id, 2));
                statuses.accept(SampleRecords.processing(n, 2, 3));
                statuses.accept(SampleRecords.complete(n, 2, 4));
            }
            case 5 -> {
                statuses.accept(SampleRecords.complete(n, 1, 2));
                forget(n, key, new RecordHeaders());
            }
            default -> {
                statuses.accept(SampleRecords.complete(n, 1, 2));
                forget(n, key, CloudEvent.erased(id, SampleRecords.NOON).headers());
                if (random.nextBoolean()) {
                    forget(n, key, new RecordHeaders());
                }
            }
        }
        put(
                Topics.ACCOUNT_STATE,
                0,
                SampleRecords.ACCOUNT,
                new AccountState(SampleRecords.ACCOUNT, 100_000, 0, 0, 100_000L - n, n, n));
        committed.put(partition(Topics.ACCOUNT_COMMANDS, n), (long)
                at(Topics.ACCOUNT_COMMANDS, n).size());
    }

    private void forget(int n, String key, Headers why) {
        put(Topics.REPORT_STATUS, n, key, null, why);
        put(Topics.REPORT_REQUESTS, n, key, null, why);
    }

    static Idempotency key(int n) {
        return SampleRecords.key("k" + n % 5);
    }

    private void command(int n, AccountCommand command) {
        put(Topics.ACCOUNT_COMMANDS, n, SampleRecords.ACCOUNT, command);
    }

    void leaveOutRequests() {
        records.keySet().removeIf(partition -> partition.topic().equals(Topics.REPORT_REQUESTS.name()));
    }

    private <V> void put(Topic<V> topic, int n, String key, V value) {
        put(topic, n, key, value, new RecordHeaders());
    }

    private <V> void put(Topic<V> topic, int n, String key, @Nullable V value, Headers headers) {
        List<ConsumerRecord<String, byte[]>> at = at(topic, n);
        TopicPartition partition = partition(topic, n);
        byte[] bytes = value == null ? null : topic.encode(value);
        at.add(new ConsumerRecord<>(
                partition.topic(),
                partition.partition(),
                at.size(),
                0,
                TimestampType.CREATE_TIME,
                key.length(),
                bytes == null ? 0 : bytes.length,
                key,
                bytes,
                headers,
                Optional.of(EPOCH)));
    }

    private List<ConsumerRecord<String, byte[]>> at(Topic<?> topic, int n) {
        return records.computeIfAbsent(partition(topic, n), p -> new ArrayList<>());
    }

    private static TopicPartition partition(Topic<?> topic, int n) {
        return new TopicPartition(topic.name(), n % PARTITIONS);
    }

    TopicState state(String identity) {
        Map<TopicPartition, Integer> epochs =
                records.keySet().stream().collect(Collectors.toMap(partition -> partition, partition -> epoch));
        var topics = new CopiedTopics(identity, all(p -> 0L), all(p -> (long) p.size()), epochs);
        return new TopicState(topics, Duration.ofDays(7));
    }

    /** Where a gateway begins that has not read rows: at the first record, or behind the commands that are decided. */
    Map<TopicPartition, Long> beginning() {
        Map<TopicPartition, Long> begin = all(p -> 0L);
        begin.putAll(committed);
        return begin;
    }

    private Map<TopicPartition, Long> all(Function<List<ConsumerRecord<String, byte[]>>, Long> of) {
        return records.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, p -> of.apply(p.getValue())));
    }

    Collection<TopicPartition> partitions() {
        return records.keySet();
    }

    static Instant time() {
        return ModelOnDisk.NOW;
    }
}
