package millrace.processor.ledger.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.processor.bootstrap.Processor;
import millrace.runtime.settings.KafkaSettings;
import millrace.runtime.settings.SettingsException;
import millrace.testing.TestKafka;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A ledger starts where parts of an earlier ledger's topics are missing. */
class LostStateCheckIT {
    private static final int PARTITIONS = 2;
    private static final String ACCOUNT = "acme";

    @TempDir
    Path folder;

    private final TestKafka kafka = TestKafka.withTopics(PARTITIONS);
    private final CreditLedgerReader entries = new CreditLedgerReader(kafka.bootstrapServers());
    private final AtomicReference<@Nullable Throwable> fatal = new AtomicReference<>();

    @AfterEach
    void close() {
        entries.close();
        kafka.close();
    }

    @Test
    void aMissingFolderIsMadeAgainFromKafka() {
        granted("one", 1000, 1000);
        forgetFolder();
        granted("two", 5, 1005);
    }

    @Test
    void aMissingTopicIsNotTakenForALedgerWithoutAccounts() throws Exception {
        granted("one", 1000, 1000);
        try (Admin admin = admin()) {
            admin.deleteTopics(List.of(LostStateCheck.TOPIC)).all().get();
        }
        refused();
        forgetFolder();
        refused();
    }

    /** All commands of the partition were invalid. */
    @Test
    void aPartitionWithoutAccountsHasAState() throws Exception {
        send(Topics.ACCOUNT_COMMANDS.name(), 0, ACCOUNT, "no command");
        send(Topics.ACCOUNT_COMMANDS.name(), 1, ACCOUNT, "no command");
        try (LedgerStreams _ = start();
                Admin admin = admin()) {
            await().until(() -> LostStateCheck.decided(admin), decided -> decided.size() == PARTITIONS);
            assertThat(LostStateCheck.withRecords(admin, LostStateCheck.TOPIC, Set.of(0, 1)))
                    .hasSize(PARTITIONS);
        }
    }

    @Test
    void theStateOfALaterBuildIsLeftAlone() throws Exception {
        granted("one", 1000, 1000);
        forgetFolder();
        send(LostStateCheck.TOPIC, partition(ACCOUNT), "form/ledger", "99");
        try (LedgerStreams _ = start()) {
            await().until(() -> fatal.get() != null);
        }
        assertThat(fatal.get()).isInstanceOf(SettingsException.class).hasMessageContaining("a later build");
    }

    /** Sends a grant and waits until the account has these credits. */
    private void granted(String id, long credits, long remaining) {
        try (LedgerStreams _ = start();
                var commands = new CommandSender(kafka.bootstrapServers())) {
            commands.send(ACCOUNT, new AccountCommand.GrantCredits(id, credits, "bought"));
            await().until(() ->
                    !entries.all().isEmpty() && entries.all().getLast().remaining() == remaining);
        }
    }

    private void refused() {
        assertThatThrownBy(this::start)
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining(
                        LostStateCheck.TOPIC + " is missing or empty in partitions [" + partition(ACCOUNT) + "]")
                .hasMessageContaining("Restore all topics");
    }

    private LedgerStreams start() {
        return Processor.ledger(
                LedgerTestDriver.settings(folder),
                KafkaSettings.local(kafka.bootstrapServers(), PARTITIONS, "millrace-1"),
                dataset -> Optional.of("v1"),
                new SimpleMeterRegistry(),
                fatal::set);
    }

    private Admin admin() {
        return Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
    }

    private static int partition(String account) {
        return Topic.partition(account, PARTITIONS);
    }

    private void send(String topic, int partition, String key, String value) throws Exception {
        try (var producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                new StringSerializer(),
                new StringSerializer())) {
            producer.send(new ProducerRecord<>(topic, partition, key, value)).get();
        }
    }

    private void forgetFolder() {
        try (Stream<Path> files = Files.walk(folder.resolve("state"))) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
