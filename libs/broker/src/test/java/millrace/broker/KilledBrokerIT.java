package millrace.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Kill -9 of a broker in the middle of commits. */
@Tag("thorough") // kills processes
class KilledBrokerIT {
    private static final List<TopicPartition> PARTITIONS = IntStream.range(0, TransactionsMain.PARTITIONS)
            .mapToObj(p -> new TopicPartition(TransactionsMain.TOPIC, p))
            .toList();

    @TempDir
    Path folder;

    /** A transaction that is left open for ever holds back everybody who reads what is committed. */
    @RepeatedTest(2)
    void leavesNoTransactionOpenAfterItsRestart() throws Exception {
        Process broker = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        TransactionsMain.class.getName(),
                        folder.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        try (var lines = broker.inputReader()) {
            assertThat(lines.lines().anyMatch("busy"::equals)).isTrue();
        } finally {
            broker.destroyForcibly().waitFor();
        }

        try (EmbeddedKafka kafka = EmbeddedKafka.start(folder);
                KafkaConsumer<String, String> all = consumer(kafka, "read_uncommitted");
                KafkaConsumer<String, String> committed = consumer(kafka, "read_committed")) {
            await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertThat(committed.endOffsets(PARTITIONS))
                    .isEqualTo(all.endOffsets(PARTITIONS)));
        }
    }

    private static KafkaConsumer<String, String> consumer(EmbeddedKafka kafka, String isolation) {
        return new KafkaConsumer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers(), "isolation.level", isolation),
                new StringDeserializer(),
                new StringDeserializer());
    }
}
