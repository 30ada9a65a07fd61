package millrace.bench.process;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import millrace.broker.EmbeddedKafka;
import millrace.contracts.topics.Topics;
import millrace.runtime.kafka.TopicCreation;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Runs a broker with all topics as a process. Arguments: its folder, a port or 0, and the number of partitions. */
public final class KafkaMain {
    public static final int PARTITIONS = 6;
    /** Of the services' producers. */
    public static final String CODEC =
            KafkaSettings.local("", PARTITIONS, "bench").compression();

    private static final String SAYS = "kafka is at ";

    private KafkaMain() {}

    /** Starts it and waits; {@link #servers} has its bootstrap servers. */
    public static ChildProcess start(Path folder) throws IOException {
        return start(folder, 0);
    }

    /** @param port 0 for any free port */
    public static ChildProcess start(Path folder, int port) throws IOException {
        return start(folder, port, PARTITIONS, "-Xmx512m");
    }

    /**
     * @param port 0 for any free port
     * @param partitions of each topic
     */
    public static ChildProcess start(Path folder, int port, int partitions, String heap) throws IOException {
        return ChildProcess.start(
                KafkaMain.class,
                List.of(heap),
                folder.toString(),
                Integer.toString(port),
                Integer.toString(partitions));
    }

    public static String servers(ChildProcess kafka) throws InterruptedException {
        String line = kafka.await(SAYS, Duration.ofMinutes(5));
        return line.substring(line.indexOf(SAYS) + SAYS.length());
    }

    /** A producer that fills topics: of large batches, with the codec of the services. */
    public static KafkaProducer<String, byte[]> producer(String servers, int lingerMillis, int batchBytes) {
        Map<String, Object> config = Map.of(
                "bootstrap.servers", servers,
                "linger.ms", lingerMillis,
                "batch.size", batchBytes,
                "compression.type", CODEC);
        return new KafkaProducer<>(config, new StringSerializer(), new ByteArraySerializer());
    }

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
