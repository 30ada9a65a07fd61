package millrace.processor;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import millrace.catalog.Catalog;
import millrace.catalog.CatalogException;
import millrace.contracts.ReportStatus;
import millrace.contracts.Topics;
import millrace.files.LinkSecret;
import millrace.files.ReportStore;
import millrace.files.ReportStores;
import millrace.files.SignedLinks;
import millrace.processor.account.Ledger;
import millrace.processor.examples.ExamplePublisher;
import millrace.processor.examples.FolderTables;
import millrace.processor.examples.Tables;
import millrace.processor.rendering.OldTasks;
import millrace.processor.rendering.ParquetFiles;
import millrace.processor.rendering.RenderRehearsal;
import millrace.processor.rendering.RenderWorkers;
import millrace.processor.rendering.SliceRenderer;
import millrace.processor.rendering.TaskRenderer;
import millrace.processor.sweeping.Sweeper;
import millrace.processor.warehouse.DataVersions;
import millrace.processor.warehouse.DuckDbWarehouse;
import millrace.processor.warehouse.JdbcWarehouse;
import millrace.processor.warehouse.OldVersions;
import millrace.processor.warehouse.Warehouse;
import millrace.processor.warehouse.WarehouseException;
import millrace.processor.warehouse.WarehouseFolder;
import millrace.runtime.Beside;
import millrace.runtime.ConsumerLag;
import millrace.runtime.DiskSpace;
import millrace.runtime.Health;
import millrace.runtime.KafkaClientFactory;
import millrace.runtime.KafkaProbe;
import millrace.runtime.KafkaSettings;
import millrace.runtime.ServiceThreads;
import millrace.runtime.SettingsException;
import org.apache.kafka.streams.KafkaStreams;
import org.jspecify.annotations.Nullable;

/** The service: the ledger, and the workers that render what it hands out. */
public final class Processor implements AutoCloseable {
    private static final Duration UPKEEP = Duration.ofMinutes(1);
    /** Once what a start needs has been done. */
    private static final Duration EXAMPLES = Duration.ofSeconds(2);

    private final StreamsRun ledger;
    private final RenderWorkers workers;
    private final Warehouse warehouse;
    private final Files files;
    private final ScheduledExecutorService upkeep;
    private final KafkaProbe probe;
    private final DiskSpace disk;

    /** What this process writes, and who tidies it up. */
    private record Files(ReportStore store, ParquetFiles parquet, Sweeper sweeper) {
        static Files open(ProcessorSettings settings, KafkaSettings kafka) {
            try {
                var store = ReportStores.open(settings.reports(), settings.fsync(), settings.s3());
                var parquet = new ParquetFiles(settings.duckdb().tempDirectory().resolve("parquet"));
                var sweeper =
                        Sweeper.start(kafka, settings.sweep(), store, parquet::deleteOlderThan, InstantSource.system());
                return new Files(store, parquet, sweeper);
            } catch (IOException e) {
                throw new SettingsException(String.valueOf(e.getMessage()));
            }
        }
    }

    private Processor(
            StreamsRun ledger,
            RenderWorkers workers,
            Data data,
            Files files,
            KafkaProbe probe,
            DiskSpace disk,
            ExamplePublisher examples) {
        this.probe = probe;
        this.disk = disk;
        this.ledger = ledger;
        this.workers = workers;
        this.warehouse = data.warehouse;
        this.files = files;
        this.upkeep = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name("upkeep").daemon().factory());
        var unused = upkeep.scheduleWithFixedDelay(
                () -> {
                    data.sweep.run();
                    data.warehouse.letGo();
                },
                UPKEEP.toSeconds(),
                UPKEEP.toSeconds(),
                TimeUnit.SECONDS);
        var _ = upkeep.scheduleWithFixedDelay(
                examples::publish, EXAMPLES.toSeconds(), UPKEEP.toSeconds(), TimeUnit.SECONDS);
    }

    /**
     * Starts, and does not wait until it processes.
     *
     * @param disk the folders that it writes to; closed with the processor
     * @param registry gets the measurements
     * @param topics returns when they exist; asked when everything is ready that can be without
     * @param onFatal told of an error after which the service does nothing any more
     * @throws SettingsException where the settings cannot be used, or Kafka cannot be reached
     */
    public static Processor start(
            ProcessorSettings settings,
            KafkaSettings kafka,
            DiskSpace disk,
            MeterRegistry registry,
            Runnable topics,
            Consumer<Throwable> onFatal) {
        Consumer<Throwable> fatal = error -> onFatal.accept(disk.explained(error));
        Data data = data(settings);
        Catalog catalog = catalog(settings);
        Beside<Integer> rehearsal = Beside.begin("render-rehearsal", () -> rehearse(settings, catalog, data));
        topics.run();
        Files files = Files.open(settings, kafka);
        rehearsal.settle();
        var renderer = new SliceRenderer(catalog, data.warehouse, files.store(), files.parquet());
        ServiceThreads threads = ServiceThreads.ofMachine();
        var runner = new TaskRenderer(renderer, threads, UUID::randomUUID);
        var tools =
                new RenderWorkers.Tools(runner, KafkaClientFactory.ofKafka(), threads, disk::enoughToGoOn, registry);
        OldTasks.passOver(
                kafka, threads.clock().instant().minus(settings.rules().times().patience()));
        RenderWorkers workers = RenderWorkers.start(kafka, settings.rendering(), tools, fatal);
        StreamsRun ledger = ledger(settings, kafka, data.versions, registry, fatal);
        var examples = new ExamplePublisher(catalog, data.versions, data.tables, kafka);
        return new Processor(ledger, workers, data, files, KafkaProbe.start(kafka), disk, examples);
    }

    /** The ledger alone: what it hands out waits. {@code versions} says which data there are. */
    public static StreamsRun ledger(
            ProcessorSettings settings,
            KafkaSettings kafka,
            DataVersions versions,
            MeterRegistry registry,
            Consumer<Throwable> onFatal) {
        Function<ReportStatus, @Nullable String> urls = downloadUrls(settings);
        var rehearsal = new Rehearsal(
                new Ledger(settings.rules()),
                new Outbox(urls),
                InstantSource.system().instant());
        var unused = Thread.ofPlatform().name("rehearsal").daemon().start(rehearsal::run);
        var clients = new LedgerClients();
        var steps = new AccountStepSupplier(settings.rules(), versions, urls, registry, clients::pace);
        StreamsRun run = StreamsRun.start(ReportTopology.of(steps), clients, settings, kafka, onFatal);
        ConsumerLag.register(registry, "ledger", Topics.ACCOUNT_COMMANDS.name(), run::measured);
        for (KafkaStreams.State state : KafkaStreams.State.values()) {
            Gauge.builder("millrace.streams.state", run, r -> r.state() == state ? 1 : 0)
                    .description("1 for the state that the ledger's Streams client is in")
                    .tag("state", state.name().toLowerCase(Locale.ROOT))
                    .register(registry);
        }
        return run;
    }

    /** Whether the ledger processes, or is about to. */
    public boolean alive() {
        return ledger.alive();
    }

    public Health health() {
        return new ProcessorHealth(ledger, workers, probe, disk);
    }

    /** Ledger and workers at once: others take over both, and what the workers have finished still reaches the ledger's input. */
    @Override
    public void close() {
        upkeep.shutdownNow();
        probe.close();
        disk.close();
        files.sweeper().close();
        ledger.leave();
        workers.close();
        ledger.close();
        warehouse.close();
        files.parquet().close();
        files.store().close();
    }

    /** @param sweep removes versions that nobody reads any more, where that is this service's to do */
    private record Data(Warehouse warehouse, DataVersions versions, Tables tables, Runnable sweep) {}

    private static Data data(ProcessorSettings settings) {
        try {
            if (JdbcWarehouse.isAddress(settings.warehouse())) {
                var warehouse = new JdbcWarehouse(settings.warehouse(), settings.jdbc());
                Tables tables = (dataset, version, sql, rows) -> warehouse.query(dataset, version, sql, rows::read);
                return new Data(warehouse, warehouse.versions(), tables, () -> {});
            }
            var folder = new WarehouseFolder(Path.of(settings.warehouse()), InstantSource.system());
            var oldVersions = new OldVersions(folder, settings.keep().versions(), InstantSource.system());
            return new Data(
                    new DuckDbWarehouse(folder, settings.duckdb()),
                    folder,
                    new FolderTables(folder),
                    oldVersions::sweep);
        } catch (WarehouseException e) {
            throw new SettingsException(String.valueOf(e.getMessage()));
        }
    }

    /**
     * Where there are others, which do the work until this one takes its share; else nobody would be better off, and the start
     * would take longer.
     */
    private static int rehearse(ProcessorSettings settings, Catalog catalog, Data data) {
        if (settings.standbys() == 0 || JdbcWarehouse.isAddress(settings.warehouse())) {
            return 0;
        }
        Path folder = settings.duckdb().tempDirectory().resolve("rehearsal");
        return RenderRehearsal.run(catalog, data.warehouse, data.versions, folder);
    }

    private static Catalog catalog(ProcessorSettings settings) {
        try {
            return Catalog.load(settings.catalog());
        } catch (CatalogException e) {
            throw new SettingsException(String.valueOf(e.getMessage()));
        }
    }

    private static Function<ReportStatus, @Nullable String> downloadUrls(ProcessorSettings settings) {
        SignedLinks links = links(settings);
        return report -> {
            ReportStatus.Result result = report.result();
            return result == null
                    ? null
                    : links.link(report.reportId(), result.file(), result.expiresAt())
                            .toString();
        };
    }

    private static SignedLinks links(ProcessorSettings settings) {
        try {
            return new SignedLinks(
                    settings.publicAddress(), LinkSecret.load(settings.linkSecret(), new SecureRandom()));
        } catch (IOException e) {
            throw new SettingsException("the link secret cannot be used: " + e.getMessage());
        }
    }
}
