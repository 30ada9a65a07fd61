package millrace.processor.repartition;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import millrace.contracts.delivery.DeliveryCommand;
import millrace.contracts.delivery.DeliveryState;
import millrace.contracts.delivery.OpenOffsets;
import millrace.contracts.topics.ConsumerGroups;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** All topics of a Kafka with some records in each, written in transactions of which some are aborted. */
final class FilledTopics {
    static final String OTHER_TEAM = "analytics";
    /** Not a divisor of the new number: some partitions are then made of several. */
    static final int PARTITIONS = 4;

    private static final int KEYS = 20;
    private static final int RECORDS = 100;

    /** Records of some topics are kept for an hour only. */
    private final Instant begin = Instant.now().minus(Duration.ofMinutes(10)).truncatedTo(ChronoUnit.MILLIS);

    private final String bootstrapServers;

    FilledTopics(String bootstrapServers) {
        this.bootstrapServers = bootstrapServers;
    }

    /** A record without its place. */
    record Content(String value, long timestamp, List<String> headers) {
        static Content of(ConsumerRecord<String, byte[]> record) {
            List<String> headers = new ArrayList<>();
            for (Header header : record.headers()) {
                headers.add(header.key() + "=" + new String(header.value(), UTF_8));
            }
            return new Content(
                    record.value() == null ? "none" : new String(record.value(), UTF_8), record.timestamp(), headers);
        }
    }

    /** Those that have something of their own to be looked at; the others are copied in the same way. */
    static final List<Topic<?>> TOPICS = List.of(
            Topics.ACCOUNT_COMMANDS,
            Topics.DELIVERIES,
            Topics.DELIVERY_STATE,
            Topics.FILE_DELETIONS,
            Topics.PROCESS_STATES,
            Topics.REPORT_EVENTS,
            Topics.REPORT_STATUS);

    static List<String> names() {
        return Stream.concat(TOPICS.stream().map(Topic::name), Stream.of(Topics.LEDGER_CHANGELOG))
                .toList();
    }

    void fill() throws ExecutionException, InterruptedException {
        try (Admin admin = admin()) {
            admin.createTopics(List.of(new NewTopic(Topics.LEDGER_CHANGELOG, PARTITIONS, (short) 1)
                            .configs(Map.of("cleanup.policy", "compact"))))
                    .all()
                    .get();
        }
        try (var producer = new KafkaProducer<>(
                Map.<String, Object>of(
                        "bootstrap.servers", bootstrapServers, ProducerConfig.TRANSACTIONAL_ID_CONFIG, "filling"),
                new StringSerializer(),
                new ByteArraySerializer())) {
            producer.initTransactions();
            for (int part = 0; part < 4; part++) {
                producer.beginTransaction();
                for (int i = part * RECORDS / 4; i < (part + 1) * RECORDS / 4; i++) {
                    for (String topic : names()) {
                        var unused = producer.send(record(topic, i));
                    }
                }
                if (part == 1) {
                    producer.flush();
                    producer.abortTransaction();
                } else {
                    producer.commitTransaction();
                }
            }
        }
    }

    private ProducerRecord<String, byte[]> record(String topic, int number) {
        String account = "account-" + number % KEYS;
        long time = begin.plus(Duration.ofSeconds(number)).toEpochMilli();
        var headers = List.<Header>of(
                new RecordHeader("number", Integer.toString(number).getBytes(UTF_8)));
        if (topic.equals(Topics.DELIVERIES.name())) {
            return new ProducerRecord<>(
                    topic, null, time, endpoint(number), Topics.DELIVERIES.encode(delivery(number)), headers);
        }
        if (topic.equals(Topics.DELIVERY_STATE.name())) {
            int partition = Topic.partition(endpoint(number), PARTITIONS);
            String key = DeliveryState.Waiting.key(endpoint(number), "event-" + number);
            return new ProducerRecord<>(topic, partition, time, key, text(number), headers);
        }
        if (topic.equals(Topics.LEDGER_CHANGELOG)) {
            int partition = Topic.partition(account, PARTITIONS);
            String key = number % 10 == 0 ? "form/ledger" : "idempotency/" + account + "/" + number % 40;
            return new ProducerRecord<>(topic, partition, time, key, number % 10 == 0 ? bytes("2") : text(number));
        }
        boolean tombstone = topic.equals(Topics.REPORT_STATUS.name()) && number % 9 == 0;
        return new ProducerRecord<>(topic, null, time, account, tombstone ? null : text(number), headers);
    }

    static String endpoint(int number) {
        return "account-" + number % KEYS + "|http://receiver.example:80";
    }

    private DeliveryCommand delivery(int number) {
        return new DeliveryCommand.Deliver(
                "event-" + number,
                "account-" + number % KEYS,
                "http://receiver.example/hook",
                UUID.nameUUIDFromBytes(text(number)),
                1,
                begin,
                "{}",
                "00-0-0-00");
    }

    private static byte[] text(int number) {
        return bytes("value " + number);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    /** The ledger has decided half of the commands, the notifiers have events open, another team has read a third. */
    void commit() throws ExecutionException, InterruptedException {
        try (Admin admin = admin()) {
            Map<Integer, Long> commands = ends(Topics.ACCOUNT_COMMANDS.name());
            Map<Integer, Long> deliveries = ends(Topics.DELIVERIES.name());
            Map<Integer, Long> events = ends(Topics.REPORT_EVENTS.name());
            var open = new BitSet();
            open.set(0);
            open.set(3);
            commit(admin, ConsumerGroups.PROCESSOR, Topics.ACCOUNT_COMMANDS, commands, 2, "");
            commit(admin, ConsumerGroups.NOTIFIERS, Topics.DELIVERIES, deliveries, 2, new OpenOffsets(5, open).text());
            commit(admin, OTHER_TEAM, Topics.REPORT_EVENTS, events, 3, "");
        }
    }

    private static void commit(
            Admin admin, String group, Topic<?> topic, Map<Integer, Long> ends, int part, String metadata)
            throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        ends.forEach((partition, end) ->
                offsets.put(new TopicPartition(topic.name(), partition), new OffsetAndMetadata(end / part, metadata)));
        admin.alterConsumerGroupOffsets(group, offsets).all().get();
    }

    /** The endpoint's events from its second one on are in a backlog. */
    void fallBehind(String endpoint) throws ExecutionException, InterruptedException {
        long second = records(Topics.DELIVERIES.name()).stream()
                .filter(record -> record.key().equals(endpoint))
                .skip(1)
                .findFirst()
                .orElseThrow()
                .offset();
        var behind = new DeliveryState.Behind(endpoint, second, begin);
        try (var producer = new KafkaProducer<>(
                Map.<String, Object>of("bootstrap.servers", bootstrapServers),
                new StringSerializer(),
                new ByteArraySerializer())) {
            producer.send(new ProducerRecord<>(
                            Topics.DELIVERY_STATE.name(),
                            Topic.partition(endpoint, PARTITIONS),
                            behind.key(),
                            Topics.DELIVERY_STATE.encode(behind)))
                    .get();
        }
    }

    /** Writes a record to a partition that is not that of its key, or to the only one. */
    void misplace(Topic<?> topic) throws ExecutionException, InterruptedException {
        try (var producer = new KafkaProducer<>(
                Map.<String, Object>of("bootstrap.servers", bootstrapServers),
                new StringSerializer(),
                new ByteArraySerializer())) {
            int partitions = producer.partitionsFor(topic.name()).size();
            int wrong = (Topic.partition("account-1", partitions) + 1) % partitions;
            producer.send(new ProducerRecord<>(topic.name(), wrong, "account-1", text(1)))
                    .get();
        }
    }

    /** The event with which the endpoint's backlog begins. */
    String firstOfBacklog(String endpoint) {
        DeliveryState.Behind behind = records(Topics.DELIVERY_STATE.name()).stream()
                .filter(record -> record.key().equals(DeliveryState.Behind.key(endpoint)))
                .map(record -> (DeliveryState.Behind) Topics.DELIVERY_STATE.decode(record.value()))
                .findFirst()
                .orElseThrow();
        return records(Topics.DELIVERIES.name()).stream()
                .filter(record -> record.key().equals(endpoint) && record.offset() >= behind.from())
                .map(record -> new String(record.value(), UTF_8))
                .findFirst()
                .orElseThrow();
    }

    /** What each key of a topic has, in its order. */
    Map<String, List<Content>> contents(String topic) {
        Map<String, List<Content>> contents = new TreeMap<>();
        records(topic).forEach(record -> contents.computeIfAbsent(record.key(), key -> new ArrayList<>())
                .add(Content.of(record)));
        return contents;
    }

    /** The values of the records that a group has not read. */
    List<String> unread(String group, Topic<?> topic) throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetAndMetadata> committed = committed(group);
        return records(topic.name()).stream()
                .filter(record -> {
                    OffsetAndMetadata commit = committed.get(new TopicPartition(topic.name(), record.partition()));
                    return commit != null && record.offset() >= commit.offset();
                })
                .map(record -> Content.of(record).value())
                .sorted()
                .toList();
    }

    /** The values of the events that the notifiers have to send. */
    List<String> open() throws ExecutionException, InterruptedException {
        Map<TopicPartition, OffsetAndMetadata> committed = committed(ConsumerGroups.NOTIFIERS);
        return records(Topics.DELIVERIES.name()).stream()
                .filter(record -> {
                    OffsetAndMetadata commit =
                            committed.get(new TopicPartition(Topics.DELIVERIES.name(), record.partition()));
                    OpenOffsets known = commit == null
                            ? new OpenOffsets(0, new BitSet())
                            : OpenOffsets.parse(commit.metadata()).orElse(new OpenOffsets(0, new BitSet()));
                    long distance = record.offset() - (commit == null ? 0 : commit.offset());
                    return distance >= 0
                            && (distance >= known.above() || known.open().get((int) distance));
                })
                .map(record -> Content.of(record).value())
                .sorted()
                .toList();
    }

    private Map<TopicPartition, OffsetAndMetadata> committed(String group)
            throws ExecutionException, InterruptedException {
        try (Admin admin = admin()) {
            return admin.listConsumerGroupOffsets(group)
                    .partitionsToOffsetAndMetadata()
                    .get();
        }
    }

    List<ConsumerRecord<String, byte[]>> records(String topic) {
        List<ConsumerRecord<String, byte[]>> records = new ArrayList<>();
        try (var consumer = consumer()) {
            List<TopicPartition> partitions = consumer.partitionsFor(topic).stream()
                    .map(info -> new TopicPartition(topic, info.partition()))
                    .toList();
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(Duration.ofMillis(50)).forEach(records::add);
            }
        }
        return records;
    }

    private Map<Integer, Long> ends(String topic) {
        try (var consumer = consumer()) {
            Map<Integer, Long> ends = new TreeMap<>();
            consumer.endOffsets(consumer.partitionsFor(topic).stream()
                            .map(info -> new TopicPartition(topic, info.partition()))
                            .toList())
                    .forEach((partition, end) -> ends.put(partition.partition(), end));
            return ends;
        }
    }

    private KafkaConsumer<String, byte[]> consumer() {
        return new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        bootstrapServers,
                        ConsumerConfig.ISOLATION_LEVEL_CONFIG,
                        "read_committed",
                        ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                        false),
                new StringDeserializer(),
                new ByteArrayDeserializer());
    }

    List<String> existing() throws ExecutionException, InterruptedException {
        try (Admin admin = admin()) {
            return List.copyOf(new TreeSet<>(admin.listTopics().names().get()));
        }
    }

    private Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", bootstrapServers));
    }
}
