package millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Files of Kafka's log that were changed while it did not run. */
class LostRecordsCheckIT {
    private static final int RECORDS = 40;
    /** Bytes that are not UTF-8. */
    private static final byte[] NO_TEXT = {'i', (byte) 0xFF};

    @TempDir
    Path folder;

    private final Logger logger = (Logger) LoggerFactory.getLogger(LostRecordsCheck.class);
    private final ListAppender<ILoggingEvent> said = new ListAppender<>();

    @BeforeEach
    void listen() {
        logger.setLevel(Level.INFO);
        said.start();
        logger.addAppender(said);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(said);
        logger.setLevel(null);
    }

    @Test
    void whatIsGoneIsToldOnce() throws Exception {
        filled();
        restarted();
        assertThat(told()).as("nothing has happened").isEmpty();

        cut(records("t-0"), 2);
        restarted();
        assertThat(told())
                .singleElement()
                .asString()
                .startsWith("[ERROR] acknowledged records lost")
                .contains(" partition=t-0 records=" + RECORDS / 2 + " fromOffset=" + RECORDS / 2 + " ");
        restarted();
        assertThat(told()).as("once is enough").isEmpty();

        cut(records("__cluster_metadata-0"), 2);
        restarted();
        assertThat(told())
                .singleElement()
                .asString()
                .matches("\\[ERROR] acknowledged records lost.* partition=__cluster_metadata-0 .*");
    }

    /** As a power cut may leave it. */
    @Test
    void aMetadataEndThatDoesNotParseIsIgnored() throws Exception {
        filled();
        for (String content : List.of("", "12x", "-1", "99999999999999999999", "1\u00FF")) {
            Files.writeString(folder.resolve("metadata-end"), content, StandardCharsets.ISO_8859_1);
            restarted();
            assertThat(told())
                    .singleElement()
                    .asString()
                    .startsWith("[ERROR] " + folder.resolve("metadata-end") + " has no offset");
        }
        restarted();
        assertThat(told()).as("it is written again").isEmpty();
    }

    /** Kafka would halt the process, with a stack trace. */
    @Test
    void aCheckpointThatIsNoTextIsNamed() throws Exception {
        filled();
        Path checkpoint = folder.resolve("log/replication-offset-checkpoint");
        byte[] content = Files.readAllBytes(checkpoint);
        Files.write(checkpoint, NO_TEXT, StandardOpenOption.APPEND);
        assertThatThrownBy(() -> EmbeddedKafka.start(folder))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(checkpoint + " is damaged")
                .hasMessageContaining("delete it");
        Files.write(checkpoint, content);
        restarted();
        assertThat(told()).isEmpty();
        Files.delete(checkpoint);
        restarted();
        assertThat(checkpoint).content().contains("\nt 0 " + RECORDS);
    }

    @Test
    void theClusterIdIsThatOfTheLog() throws Exception {
        filled();
        Path file = folder.resolve("cluster-id");
        Files.write(file, NO_TEXT);
        restarted();
        Path other = Files.createDirectories(folder.resolve("other"));
        Files.write(other.resolve("cluster-id"), NO_TEXT);
        assertThatThrownBy(() -> EmbeddedKafka.start(other))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(other.resolve("cluster-id") + " has no cluster id");
    }

    /** Kafka's metrics go before its log is closed, when a process is asked to end. */
    @Test
    void aProcessThatIsAskedToEndLeavesTheEndOfItsMetadata() throws Exception {
        Process broker = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        StoppedMain.class.getName(),
                        folder.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (var lines = broker.inputReader()) {
            assertThat(lines.lines().anyMatch("ready"::equals)).isTrue();
            broker.destroy(); // SIGTERM
            assertThat(broker.waitFor()).isEqualTo(128 + 15);
        } finally {
            broker.destroyForcibly().waitFor();
        }
        assertThat(folder.resolve("metadata-end")).content().matches("[1-9][0-9]*\n");
        assertThat(folder.resolve("running")).doesNotExist();

        // Less than the next start writes: the end of the log alone would not show it.
        Path records = records("__cluster_metadata-0");
        try (FileChannel channel = FileChannel.open(records, StandardOpenOption.WRITE)) {
            channel.truncate(channel.size() - 1);
        }
        restarted();
        assertThat(told()).anySatisfy(line -> assertThat(line)
                .matches("\\[ERROR] acknowledged records lost.* partition=__cluster_metadata-0 .*"));
    }

    /** Kafka reads the files then, and cuts them where a byte is wrong. */
    @Test
    void whatWasNotWrittenWholeIsNoLossOfRecords() throws Exception {
        filled();
        killed();
        Path records = records("t-0");
        long size = Files.size(records);
        byte[] half = new byte[100];
        Files.write(records, half, StandardOpenOption.APPEND);
        restarted();
        assertThat(told())
                .singleElement()
                .asString()
                .matches("\\[INFO] incomplete records cut off after a kill.* partition=t-0 bytes=100");

        killed();
        byte[] bytes = Files.readAllBytes(records);
        assertThat(bytes).hasSize((int) size);
        // In the value of the record after: what stands before it decides how much of a file Kafka takes for a batch.
        bytes[bytes.length / 2 + 70] ^= 1;
        Files.write(records, bytes);
        restarted();
        assertThat(told()).singleElement().asString().matches("\\[ERROR] acknowledged records lost.* partition=t-0 .*");
    }

    private List<String> told() {
        List<String> told = said.list.stream().map(Object::toString).toList();
        said.list.clear();
        return told;
    }

    private void restarted() throws IOException {
        EmbeddedKafka.start(folder).close();
    }

    /** As if it had been, instead of stopped. */
    private void killed() throws IOException {
        Files.createFile(folder.resolve("running"));
        Files.delete(folder.resolve("log").resolve(".kafka_cleanshutdown"));
    }

    private void filled() throws Exception {
        try (EmbeddedKafka kafka = EmbeddedKafka.start(folder)) {
            Map<String, Object> config = Map.of("bootstrap.servers", kafka.bootstrapServers());
            try (Admin admin = Admin.create(config);
                    var producer = new KafkaProducer<>(config, new StringSerializer(), new StringSerializer())) {
                admin.createTopics(Set.of(new NewTopic("t", 1, (short) 1)))
                        .all()
                        .get();
                for (int i = 0; i < RECORDS; i++) {
                    // One after the other: those that wait share a batch, and half of the file is not half of them.
                    producer.send(new ProducerRecord<>("t", "a value")).get();
                }
            }
        }
    }

    private Path records(String partition) {
        return folder.resolve("log").resolve(partition).resolve("00000000000000000000.log");
    }

    private static void cut(Path file, int divisor) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(channel.size() / divisor);
        }
    }
}
