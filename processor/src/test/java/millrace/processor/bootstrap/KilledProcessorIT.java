package millrace.processor.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import millrace.contracts.accounts.LedgerEntry;
import millrace.contracts.commands.AccountCommand;
import millrace.processor.ledger.decide.LedgerSamples;
import millrace.processor.ledger.streams.AnsweringWorkers;
import millrace.processor.ledger.streams.CommandSender;
import millrace.processor.ledger.streams.CreditLedgerReader;
import millrace.processor.ledger.streams.LedgerStreams;
import millrace.processor.ledger.streams.LedgerTestDriver;
import millrace.runtime.settings.KafkaSettings;
import millrace.testing.TestKafka;
import org.awaitility.core.ConditionTimeoutException;
import org.awaitility.core.TerminalFailureException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The process of a ledger is killed while reports are under way. Every report is charged exactly once. */
@Tag("thorough") // kills processes
class KilledProcessorIT {
    private static final int REPORTS = 400;
    private static final int KILLS = 2;

    @TempDir
    Path folder;

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void leaveNothingRunning() {
        started.forEach(Process::destroyForcibly);
    }

    @Test
    void chargesEachReportOnceHoweverOftenItIsKilled() throws Exception {
        try (TestKafka kafka = TestKafka.withTopics(2);
                var ledger = new CreditLedgerReader(kafka.bootstrapServers());
                var workers = new AnsweringWorkers(kafka.bootstrapServers());
                var commands = new CommandSender(kafka.bootstrapServers())) {
            Process process = start(kafka);
            for (String account : List.of("acme", "zenith")) {
                commands.send(account, new AccountCommand.GrantCredits("opening-" + account, 1_000_000, "bought"));
            }
            for (int i = 0; i < REPORTS; i++) {
                UUID id = LedgerSamples.id("report" + i);
                var request = LedgerSamples.request(id, 10, 5, i % 5 == 0 ? 7 : 1, null);
                String account = i % 2 == 0 ? "acme" : "zenith";
                commands.send(account, request);
                // Clients repeat themselves.
                commands.send(account, request);
            }
            for (int kill = 1; kill <= KILLS; kill++) {
                int settled = REPORTS * kill / (KILLS + 2);
                awaitSettled(settled, ledger, process);
                process.destroyForcibly().waitFor();
                process = start(kafka);
            }
            awaitSettled(REPORTS, ledger, process);
            process.destroy();
            process.waitFor();
            check(ledger.all());
            assertThat(workers.answered()).isGreaterThanOrEqualTo(REPORTS);
        }
    }

    /** Waits for all settlements; fails with the log of the ledger. */
    private void awaitSettled(int reports, CreditLedgerReader ledger, Process process) throws IOException {
        try {
            await().atMost(Duration.ofSeconds(90))
                    .failFast("the ledger has ended", () -> !process.isAlive())
                    .until(() -> ledger.settled() >= reports);
        } catch (ConditionTimeoutException | TerminalFailureException e) {
            throw new AssertionError(
                    ledger.settled() + " of " + reports + " settled:\n" + Files.readString(folder.resolve("log")), e);
        }
    }

    private static void check(List<LedgerEntry> entries) {
        assertThat(entries.stream().map(e -> e.accountId() + "/" + e.entryId())).doesNotHaveDuplicates();
        Map<String, Long> last = new HashMap<>();
        for (LedgerEntry entry : entries) {
            assertThat(entry.sequence()).isEqualTo(last.getOrDefault(entry.accountId(), 0L) + 1);
            last.put(entry.accountId(), entry.sequence());
            assertThat(entry.granted()).isEqualTo(entry.remaining() + entry.reserved() + entry.used());
        }
        Map<UUID, Long> charges = entries.stream()
                .filter(e -> e.kind() == LedgerEntry.Kind.SETTLEMENT)
                .collect(Collectors.toMap(e -> Objects.requireNonNull(e.reportId()), LedgerEntry::amount));
        assertThat(charges.keySet())
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, REPORTS)
                        .mapToObj(i -> LedgerSamples.id("report" + i))
                        .toList());
        LedgerEntry acme = entries.stream()
                .filter(e -> e.accountId().equals("acme"))
                .toList()
                .getLast();
        assertThat(acme.reserved()).isZero();
    }

    private Process start(TestKafka kafka) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                LedgerAlone.class.getName(),
                kafka.bootstrapServers(),
                folder.toString()));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
                .start();
        started.add(process);
        return process;
    }

    /** The process that is killed: the ledger without render workers. */
    static final class LedgerAlone {
        private LedgerAlone() {}

        public static void main(String[] arguments) {
            KafkaSettings kafka = KafkaSettings.local(arguments[0], 2, "millrace-1");
            LedgerStreams run = Processor.ledger(
                    LedgerTestDriver.settings(Path.of(arguments[1])),
                    kafka,
                    dataset -> Optional.of("v1"),
                    new SimpleMeterRegistry(),
                    error -> Runtime.getRuntime().halt(1));
            Runtime.getRuntime().addShutdownHook(new Thread(run::close));
        }
    }
}
