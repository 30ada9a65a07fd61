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
import millrace.catalog.Catalog;
import millrace.contracts.accounts.LedgerEntry;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.reports.ErrorCode;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.Status;
import millrace.contracts.topics.Topics;
import millrace.files.disk.DiskReportStore;
import millrace.processor.ledger.decide.LedgerSamples;
import millrace.processor.ledger.streams.CommandSender;
import millrace.processor.ledger.streams.CreditLedgerReader;
import millrace.processor.ledger.streams.LedgerStreams;
import millrace.processor.ledger.streams.LedgerTestDriver;
import millrace.processor.rendering.formats.ParquetFiles;
import millrace.processor.rendering.rows.SliceRenderer;
import millrace.processor.rendering.rows.TaskRenderer;
import millrace.processor.rendering.tasks.RenderSettings;
import millrace.processor.rendering.tasks.RenderWorkers;
import millrace.processor.warehouse.RowStream;
import millrace.processor.warehouse.SliceQuery;
import millrace.processor.warehouse.StubRows;
import millrace.processor.warehouse.Warehouse;
import millrace.runtime.kafka.KafkaClientFactory;
import millrace.runtime.service.ServiceThreads;
import millrace.runtime.settings.KafkaSettings;
import millrace.testing.TestKafka;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A slice kills the process of its worker each time. Its report ends with an error, and no other report does. */
@Tag("thorough") // kills processes
class DeadlySliceIT {
    private static final UUID DEADLY = LedgerSamples.id("deadly");
    private static final int EXIT = 42;
    private static final int OTHERS = 12;
    private static final int STARTS = 4;

    @TempDir
    Path folder;

    @Test
    void endsItsReportAndNothingElse() throws Exception {
        try (TestKafka kafka = TestKafka.withTopics(2);
                var commands = new CommandSender(kafka.bootstrapServers());
                var ledger = new CreditLedgerReader(kafka.bootstrapServers())) {
            commands.send("acme", new AccountCommand.GrantCredits("opening-acme", 1_000, "bought"));
            // The fifth of its seven domains kills the worker below.
            commands.send("acme", LedgerSamples.request(DEADLY, 10, 5, 7, null));
            for (int i = 0; i < OTHERS; i++) {
                commands.send(
                        "acme", LedgerSamples.request(LedgerSamples.id("other" + i), 10, 5, i % 2 == 0 ? 1 : 4, null));
            }
            int deaths = 0;
            Process process = start(kafka);
            Map<UUID, ReportStatus> reports = new HashMap<>();
            try (var statuses = statuses(kafka)) {
                long deadline = System.nanoTime() + Duration.ofSeconds(150).toNanos();
                while (reports.size() <= OTHERS && System.nanoTime() < deadline) {
                    statuses.poll(Duration.ofMillis(100)).forEach(r -> {
                        ReportStatus status = Topics.REPORT_STATUS.decode(r.value());
                        if (status.status() != Status.PROCESSING) {
                            reports.put(status.reportId(), status);
                        }
                    });
                    if (!process.isAlive()) {
                        assertThat(process.exitValue())
                                .as(Files.readString(folder.resolve("log")))
                                .isEqualTo(EXIT);
                        deaths++;
                        process = start(kafka);
                    }
                }
            }
            assertThat(reports).hasSize(OTHERS + 1);
            ReportStatus deadly = Objects.requireNonNull(reports.remove(DEADLY));
            assertThat(deadly.error())
                    .isEqualTo(new ReportStatus.Failure(
                            ErrorCode.RENDER_FAILED, "Rendering ended its worker " + STARTS + " times.", false));
            assertThat(reports.values()).extracting(ReportStatus::status).containsOnly(Status.COMPLETE);
            assertThat(deaths).isEqualTo(STARTS);
            await().untilAsserted(() -> assertThat(ledger.all().getLast())
                    .extracting(LedgerEntry::remaining, LedgerEntry::reserved)
                    .containsExactly(1_000L, 0L));
            process.destroy();
            process.waitFor();
        }
    }

    private static KafkaConsumer<String, byte[]> statuses(TestKafka kafka) {
        var consumer = new KafkaConsumer<>(
                Map.<String, Object>of(
                        "bootstrap.servers", kafka.bootstrapServers(), "isolation.level", "read_committed"),
                new StringDeserializer(),
                new ByteArrayDeserializer());
        List<TopicPartition> partitions = List.of(
                new TopicPartition(Topics.REPORT_STATUS.name(), 0), new TopicPartition(Topics.REPORT_STATUS.name(), 1));
        consumer.assign(partitions);
        consumer.seekToBeginning(partitions);
        return consumer;
    }

    private Process start(TestKafka kafka) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                "-Xmx256m",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Mortal.class.getName(),
                kafka.bootstrapServers(),
                folder.toString()));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()))
                .start();
    }

    /** The process that dies: the ledger, and workers with a warehouse that one domain kills. */
    static final class Mortal {
        private Mortal() {}

        public static void main(String[] arguments) throws Exception {
            Path folder = Path.of(arguments[1]);
            KafkaSettings kafka = KafkaSettings.local(arguments[0], 2, "millrace-1");
            LedgerStreams ledger = Processor.ledger(
                    LedgerTestDriver.settings(folder),
                    kafka,
                    dataset -> Optional.of("v1"),
                    new SimpleMeterRegistry(),
                    error -> Runtime.getRuntime().halt(1));
            var store = new DiskReportStore(folder.resolve("reports"), false);
            var renderer =
                    new SliceRenderer(Catalog.builtIn(), new Abyss(), store, new ParquetFiles(Path.of("unused")));
            var tools = new RenderWorkers.Tools(
                    new TaskRenderer(renderer, store, ServiceThreads.ofMachine(), UUID::randomUUID),
                    KafkaClientFactory.ofKafka(),
                    ServiceThreads.ofMachine(),
                    () -> true,
                    new SimpleMeterRegistry());
            var settings =
                    new RenderSettings(2, 2, Duration.ofMinutes(1), Duration.ofSeconds(5), Duration.ofSeconds(30));
            RenderWorkers workers = RenderWorkers.start(
                    kafka, settings, tools, error -> Runtime.getRuntime().halt(1));
            Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                workers.close();
                ledger.close();
            }));
        }
    }

    /** Has no rows; a query for one domain ends the process. */
    private static final class Abyss implements Warehouse {
        @Override
        public RowStream open(SliceQuery query) {
            if (query.query().entities().contains("e00004.example")) {
                Runtime.getRuntime().halt(EXIT);
            }
            return new StubRows() {
                @Override
                public boolean next() {
                    return false;
                }
            };
        }

        @Override
        public void close() {}
    }
}
