package millrace.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import millrace.broker.EmbeddedKafka;
import millrace.contracts.topics.PartitionLeaders;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.kafka.KafkaContainer;

/**
 * A Kafka broker for a test: embedded by default, a container with {@code -Dkafka.test=docker}, and
 * with {@code auto} a container where Docker answers. The first use writes to {@code
 * target/kafka-of-tests} which of them it was, for the report at the end of the build.
 */
public final class TestKafka implements AutoCloseable {
    private static final String IMAGE = "apache/kafka:4.3.1";
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final boolean ON_DOCKER = onDocker();

    private final String bootstrapServers;
    private final Runnable stop;

    private TestKafka(String bootstrapServers, Runnable stop) {
        this.bootstrapServers = bootstrapServers;
        this.stop = stop;
    }

    /** An empty broker for one test, which closes it. */
    public static TestKafka fresh() {
        return ON_DOCKER ? container() : embedded();
    }

    private static boolean onDocker() {
        boolean docker =
                switch (System.getProperty("kafka.test", "embedded")) {
                    case "docker" -> true;
                    case "embedded" -> false;
                    case "auto" -> DockerClientFactory.instance().isDockerAvailable();
                    case String other ->
                        throw new IllegalArgumentException("kafka.test is embedded, docker or auto, not " + other);
                };
        try {
            Files.writeString(
                    Files.createDirectories(Path.of("target")).resolve("kafka-of-tests"),
                    docker ? "Docker (Testcontainers)" : "the embedded broker");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return docker;
    }

    /**
     * A broker with all topics of Millrace.
     *
     * @param partitions of each topic
     */
    public static TestKafka withTopics(int partitions) {
        TestKafka kafka = fresh();
        kafka.createTopics(Topics.ALL, partitions);
        return kafka;
    }

    public String bootstrapServers() {
        return bootstrapServers;
    }

    public void createTopics(Collection<Topic<?>> topics, int partitions) {
        List<NewTopic> missing = topics.stream()
                .map(t -> new NewTopic(t.name(), partitions, (short) 1).configs(t.config()))
                .toList();
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers))) {
            admin.createTopics(missing).all().get();
            Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
            topics.forEach(t -> ends.putAll(t.ends(partitions)));
            PartitionLeaders.await(admin, ends, TIMEOUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("cannot create topics", e);
        }
    }

    @Override
    public void close() {
        stop.run();
    }

    private static TestKafka container() {
        var container = new KafkaContainer(IMAGE)
                .withEnv("KAFKA_GROUP_INITIAL_REBALANCE_DELAY_MS", "0")
                .withEnv("KAFKA_GROUP_MIN_SESSION_TIMEOUT_MS", "1000")
                .withEnv("KAFKA_TRANSACTION_ABORT_TIMED_OUT_TRANSACTION_CLEANUP_INTERVAL_MS", "500");
        container.start();
        return new TestKafka(container.getBootstrapServers(), container::stop);
    }

    private static TestKafka embedded() {
        try {
            Path folder = Files.createTempDirectory("millrace-kafka");
            EmbeddedKafka kafka = EmbeddedKafka.start(folder);
            return new TestKafka(kafka.bootstrapServers(), () -> {
                kafka.close();
                delete(folder);
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).forEach(f -> f.toFile().delete());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
