package millrace.processor;

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
import millrace.contracts.AccountCommand;
import millrace.contracts.LedgerEntry;
import millrace.runtime.KafkaSettings;
import millrace.testing.TestKafka;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A ledger whose local state is damaged while it does not run: it goes on with what Kafka has. */
class DamagedStateIT {
    @TempDir
    Path folder;

    private final Queue<Throwable> fatal = new ConcurrentLinkedQueue<>();

    @Test
    void balancesAreThoseOfKafka() throws Exception {
        try (TestKafka kafka = TestKafka.withTopics(1);
                var ledger = new Entries(kafka.bootstrapServers());
                var commands = new Commands(kafka.bootstrapServers())) {
            try (StreamsRun _ = start(kafka)) {
                commands.send("acme", new AccountCommand.GrantCredits("first", 1_000, "bought"));
                assertThat(remaining(ledger, 1)).isEqualTo(1_000);
            }
            for (Path current : files("CURRENT")) {
                Files.writeString(current, "MANIF");
            }
            try (StreamsRun _ = start(kafka)) {
                // Of which the ledger has done the first before.
                commands.send("acme", new AccountCommand.GrantCredits("first", 1_000, "bought"));
                commands.send("acme", new AccountCommand.GrantCredits("second", 10, "bought"));
                assertThat(remaining(ledger, 2)).isEqualTo(1_010);
            }
            assertThat(fatal).isEmpty();
            assertThat(Scene.settings(folder).state().resolve("damaged")).isNotEmptyDirectory();
        }
    }

    private StreamsRun start(TestKafka kafka) {
        return Processor.ledger(
                Scene.settings(folder),
                KafkaSettings.local(kafka.bootstrapServers(), 1, "millrace-1"),
                dataset -> Optional.of("v1"),
                new SimpleMeterRegistry(),
                fatal::add);
    }

    private static long remaining(Entries ledger, int entries) {
        return await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> List.copyOf(ledger.all()), all -> all.size() >= entries)
                .stream()
                .mapToLong(LedgerEntry::remaining)
                .reduce(0, (before, after) -> after);
    }

    private List<Path> files(String name) throws IOException {
        try (Stream<Path> all = Files.walk(Scene.settings(folder).state())) {
            List<Path> found = all.filter(f -> f.endsWith(name)).toList();
            assertThat(found).isNotEmpty();
            return found;
        }
    }
}
