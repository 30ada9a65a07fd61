package millrace.processor.ledger.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import millrace.contracts.accounts.LedgerEntry;
import millrace.contracts.commands.AccountCommand;
import millrace.processor.bootstrap.Processor;
import millrace.runtime.settings.KafkaSettings;
import millrace.testing.TestKafka;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The local state of a stopped ledger is damaged. The next start restores it from Kafka. */
class DamagedStateIT {
    @TempDir
    Path folder;

    private final Queue<Throwable> fatal = new ConcurrentLinkedQueue<>();

    @Test
    void balancesAreThoseOfKafka() throws Exception {
        try (TestKafka kafka = TestKafka.withTopics(1);
                var ledger = new CreditLedgerReader(kafka.bootstrapServers());
                var commands = new CommandSender(kafka.bootstrapServers())) {
            try (LedgerStreams _ = start(kafka)) {
                commands.send("acme", new AccountCommand.GrantCredits("first", 1_000, "bought"));
                assertThat(remaining(ledger, 1)).isEqualTo(1_000);
            }
            for (Path current : files("CURRENT")) {
                Files.writeString(current, "MANIF");
            }
            try (LedgerStreams _ = start(kafka)) {
                // The ledger has applied the first grant before.
                commands.send("acme", new AccountCommand.GrantCredits("first", 1_000, "bought"));
                commands.send("acme", new AccountCommand.GrantCredits("second", 10, "bought"));
                assertThat(remaining(ledger, 2)).isEqualTo(1_010);
            }
            assertThat(fatal).isEmpty();
            assertThat(LedgerTestDriver.settings(folder).state().resolve("damaged"))
                    .isNotEmptyDirectory();
        }
    }

    private LedgerStreams start(TestKafka kafka) {
        return Processor.ledger(
                LedgerTestDriver.settings(folder),
                KafkaSettings.local(kafka.bootstrapServers(), 1, "millrace-1"),
                dataset -> Optional.of("v1"),
                new SimpleMeterRegistry(),
                fatal::add);
    }

    private static long remaining(CreditLedgerReader ledger, int entries) {
        return await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> List.copyOf(ledger.all()), all -> all.size() >= entries)
                .stream()
                .mapToLong(LedgerEntry::remaining)
                .reduce(0, (before, after) -> after);
    }

    private List<Path> files(String name) throws IOException {
        try (Stream<Path> all = Files.walk(LedgerTestDriver.settings(folder).state())) {
            List<Path> found = all.filter(f -> f.endsWith(name)).toList();
            assertThat(found).isNotEmpty();
            return found;
        }
    }
}
