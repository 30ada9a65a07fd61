package millrace.bench.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import millrace.broker.EmbeddedKafka;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.runtime.kafka.TopicCreation;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * A broker with all topics as a process, in a temporary folder that is deleted at the end, and what is asked of it. What
 * is measured beside it keeps its files in that folder, too.
 */
public final class BenchKafka implements AutoCloseable {
    public static final int PARTITIONS = 6;
    /** Of the services' producers. */
    public static final String CODEC =
            KafkaSettings.local("", PARTITIONS, "bench").compression();

    private static final String SAYS = "kafka is at ";
    private static final Duration POLL = Duration.ofMillis(100);

    private final Path folder = Files.createTempDirectory("millrace-bench");
    private final String heap;
    private final String servers;
    private final Admin admin;
    private int partitions;
    private ChildProcess process;

    private BenchKafka(int partitions, String heap) throws IOException, InterruptedException {
        this.partitions = partitions;
        this.heap = heap;
        this.process = launch(0);
        this.servers = address();
        this.admin = Admin.create(Map.of("bootstrap.servers", servers));
    }

    public static BenchKafka start() throws IOException, InterruptedException {
        return start(PARTITIONS, "512m");
    }

    /** @param partitions of each topic */
    public static BenchKafka start(int partitions, String heap) throws IOException, InterruptedException {
        return new BenchKafka(partitions, heap);
    }

    private ChildProcess launch(int port) throws IOException {
        return ChildProcess.start(
                BenchKafka.class,
                List.of("-Xmx" + heap),
                folder.resolve("kafka").toString(),
                Integer.toString(port),
                Integer.toString(partitions));
    }

    private String address() throws InterruptedException {
        String line = process.await(SAYS, Duration.ofMinutes(5));
        return line.substring(line.indexOf(SAYS) + SAYS.length());
    }

    /** Kills the broker and starts it again in its folder, at its address. */
    public void restart() throws IOException, InterruptedException {
        process.kill();
        process = launch(Integer.parseInt(servers.substring(servers.lastIndexOf(':') + 1)));
        String unused = address();
    }

    public Path folder() {
        return folder;
    }

    /** Bootstrap servers. */
    public String servers() {
        return servers;
    }

    public ChildProcess process() {
        return process;
    }

    public Admin admin() {
        return admin;
    }

    /** Of each topic. */
    public int partitions() {
        return partitions;
    }

    /** Called after a change of their number. */
    public void repartitioned(int number) {
        partitions = number;
    }

    /** A producer with the codec of the services. */
    public KafkaProducer<String, byte[]> producer(int lingerMillis, int batchBytes) {
        Map<String, Object> config = Map.of(
                "bootstrap.servers", servers,
                "linger.ms", lingerMillis,
                "batch.size", batchBytes,
                "compression.type", CODEC);
        return new KafkaProducer<>(config, new StringSerializer(), new ByteArraySerializer());
    }

    /** Records of the topic after the offsets that the group has committed. Markers of transactions count as records. */
    public long unread(String group, Topic<?> topic) throws InterruptedException {
        Map<TopicPartition, OffsetAndMetadata> read =
                get(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
        return get(admin.listOffsets(topic.ends(partitions)).all()).entrySet().stream()
                .mapToLong(end -> {
                    OffsetAndMetadata at = read.get(end.getKey());
                    return end.getValue().offset() - (at == null ? 0 : at.offset());
                })
                .sum();
    }

    /** Reads what has been committed to a topic until now. */
    public void forEach(String topic, Consumer<ConsumerRecord<String, byte[]>> action) {
        Map<String, Object> config = Map.of(
                "bootstrap.servers",
                servers,
                "isolation.level",
                "read_committed",
                "enable.auto.commit",
                false,
                "max.poll.records",
                5000);
        try (var consumer = new KafkaConsumer<>(config, new StringDeserializer(), new ByteArrayDeserializer())) {
            List<TopicPartition> all = consumer.partitionsFor(topic).stream()
                    .map(info -> new TopicPartition(topic, info.partition()))
                    .toList();
            consumer.assign(all);
            consumer.seekToBeginning(all);
            Map<TopicPartition, Long> ends = consumer.endOffsets(all);
            while (ends.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
                consumer.poll(POLL).forEach(action);
            }
        }
    }

    /** Waits for an answer of the admin client. */
    public static <T> T get(KafkaFuture<T> future) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    @Override
    public void close() throws IOException {
        admin.close();
        process.close();
        Folders.delete(folder);
    }

    /** Arguments: its folder, a port or 0, and the number of partitions. */
    @SuppressWarnings("SystemOut") // the parent reads it
    public static void main(String[] arguments) throws IOException, InterruptedException {
        try (EmbeddedKafka kafka =
                EmbeddedKafka.start(Path.of(arguments[0]), Integer.parseInt(arguments[1]), Map.of())) {
            int partitions = Integer.parseInt(arguments[2]);
            TopicCreation.ensure(KafkaSettings.local(kafka.bootstrapServers(), partitions, "bench"), Topics.ALL);
            System.out.println(SAYS + kafka.bootstrapServers());
            new CountDownLatch(1).await();
        }
    }
}
