package millrace.simulation.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/** The clients of one case, and its own topic and group. */
final class ContractCase {
    private static final int MOST_POLLS = 400;

    final ContractKafka kafka;
    final String topic;
    final String group;
    final TopicPartition first;

    ContractCase(ContractKafka kafka, String name, int partitions) {
        this.kafka = kafka;
        this.topic = name;
        this.group = name + "-group";
        this.first = new TopicPartition(topic, 0);
        kafka.createTopic(topic, partitions);
    }

    Producer<String, byte[]> producer(String transactionalId, Map<String, Object> more) {
        Map<String, Object> config = new HashMap<>(kafka.config());
        config.put("transactional.id", topic + transactionalId);
        config.put("linger.ms", "0");
        config.putAll(more);
        return kafka.clients().producer(config);
    }

    /** A producer that has begun a transaction. */
    Producer<String, byte[]> transaction(String transactionalId) {
        Producer<String, byte[]> producer = producer(transactionalId, Map.of());
        producer.initTransactions();
        producer.beginTransaction();
        return producer;
    }

    void send(Producer<String, byte[]> producer, String... values) throws Exception {
        for (String value : values) {
            var unused = producer.send(new ProducerRecord<>(topic, 0, "key", value.getBytes(UTF_8)));
        }
        producer.flush();
    }

    Consumer<String, byte[]> consumer(Map<String, Object> more) {
        Map<String, Object> config = new HashMap<>(kafka.config());
        config.put("group.id", group);
        config.put("isolation.level", "read_committed");
        config.put("enable.auto.commit", "false");
        config.put("auto.offset.reset", "earliest");
        config.put("session.timeout.ms", "6000");
        config.put("heartbeat.interval.ms", "100");
        config.put("fetch.max.wait.ms", "50");
        config.putAll(more);
        return kafka.clients().consumer(config);
    }

    /** A consumer without a group, at the beginning of the first partition. */
    Consumer<String, byte[]> reader(Map<String, Object> more) {
        Consumer<String, byte[]> reader = consumer(more);
        reader.assign(List.of(first));
        reader.seekToBeginning(List.of(first));
        return reader;
    }

    /** Reads to an offset. */
    List<ConsumerRecord<String, byte[]>> readTo(Consumer<String, byte[]> reader, long end) {
        List<ConsumerRecord<String, byte[]>> records = new ArrayList<>();
        for (int i = 0; i < MOST_POLLS && reader.position(first) < end; i++) {
            reader.poll(Duration.ofMillis(20)).forEach(records::add);
        }
        return records;
    }

    /** Polls members for a while, in turn. */
    @SafeVarargs
    final void settle(Consumer<String, byte[]>... consumers) {
        for (int i = 0; i < 20; i++) {
            for (Consumer<String, byte[]> consumer : consumers) {
                consumer.poll(Duration.ofMillis(10));
            }
        }
    }

    List<MemberDescription> members(Admin admin) throws Exception {
        return admin.describeConsumerGroups(List.of(group)).all().get().values().stream()
                .flatMap(description -> description.members().stream())
                .toList();
    }

    /** Number of partitions that are assigned to members. */
    int owned(Admin admin) throws Exception {
        return members(admin).stream()
                .mapToInt(member -> member.assignment().topicPartitions().size())
                .sum();
    }

    static List<String> values(List<ConsumerRecord<String, byte[]>> records) {
        return records.stream().map(record -> new String(record.value(), UTF_8)).toList();
    }

    /** Polls members of the group in turn. */
    @SafeVarargs
    final void pollUntil(BooleanSupplier condition, Consumer<String, byte[]>... consumers) {
        for (int i = 0; i < MOST_POLLS; i++) {
            if (condition.getAsBoolean()) {
                return;
            }
            for (Consumer<String, byte[]> consumer : consumers) {
                consumer.poll(Duration.ofMillis(10));
            }
        }
        throw new AssertionError("not within " + MOST_POLLS + " polls");
    }
}
