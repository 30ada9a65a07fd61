package millrace.processor.bootstrap;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import millrace.catalog.Catalog;
import millrace.catalog.CatalogException;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.topics.Topics;
import millrace.files.LinkSecret;
import millrace.files.SignedLinks;
import millrace.files.store.ReportStore;
import millrace.processor.data.examples.ExamplePublisher;
import millrace.processor.data.examples.FolderTableReader;
import millrace.processor.data.examples.JdbcTableReader;
import millrace.processor.data.examples.TableReader;
import millrace.processor.data.examples.VersionFacts;
import millrace.processor.data.examples.VersionSwitcher;
import millrace.processor.ledger.decide.Ledger;
import millrace.processor.ledger.streams.AccountStepSupplier;
import millrace.processor.ledger.streams.AccountStepSupplier.CommandListener;
import millrace.processor.ledger.streams.LedgerRecords;
import millrace.processor.ledger.streams.LedgerStreams;
import millrace.processor.ledger.streams.LedgerTransaction;
import millrace.processor.ledger.streams.LedgerWarmup;
import millrace.processor.ledger.streams.LocalWorkers;
import millrace.processor.ledger.streams.ReportTopology;
import millrace.processor.rendering.formats.ParquetFiles;
import millrace.processor.rendering.rows.RenderWarmup;
import millrace.processor.rendering.rows.SliceRenderer;
import millrace.processor.rendering.rows.TaskRenderer;
import millrace.processor.rendering.tasks.ExpiredTasks;
import millrace.processor.rendering.tasks.RenderWorkers;
import millrace.processor.retention.FileDeleter;
import millrace.processor.retention.Sweeper;
import millrace.processor.warehouse.DataVersions;
import millrace.processor.warehouse.Warehouse;
import millrace.processor.warehouse.WarehouseException;
import millrace.processor.warehouse.duckdb.DataVersionCleanup;
import millrace.processor.warehouse.duckdb.DuckDbWarehouse;
import millrace.processor.warehouse.duckdb.WarehouseFolder;
import millrace.processor.warehouse.jdbc.JdbcWarehouse;
import millrace.runtime.kafka.ConsumerLagGauge;
import millrace.runtime.kafka.KafkaAvailability;
import millrace.runtime.kafka.KafkaClientFactory;
import millrace.runtime.management.DiskSpaceMonitor;
import millrace.runtime.management.Health;
import millrace.runtime.service.BackgroundTask;
import millrace.runtime.service.CatalogAgreement;
import millrace.runtime.service.ServiceThreads;
import millrace.runtime.settings.KafkaSettings;
import millrace.runtime.settings.SettingsException;
import org.apache.kafka.streams.KafkaStreams;
import org.jspecify.annotations.Nullable;

/** The processor service: the ledger, and the workers that render the slices that it hands out. */
public final class Processor implements AutoCloseable {
    private static final Duration UPKEEP = Duration.ofMinutes(1);
    /** Examples are written once the start is over. */
    private static final Duration EXAMPLES = Duration.ofSeconds(2);

    private static final Duration UPKEEP_CLOSE_TIMEOUT = Duration.ofSeconds(2);

    private final LedgerStreams ledger;
    private final RenderWorkers workers;
    private final Warehouse warehouse;
    private final DataVersions versions;
    private final Files files;
    private final Upkeep upkeep = new Upkeep(UPKEEP_CLOSE_TIMEOUT);
    private final KafkaAvailability probe;
    private final DiskSpaceMonitor disk;
    private final CatalogAgreement catalogs;
    private final VersionFacts facts;
    private final TableReader tables;
    private final @Nullable VersionSwitcher switcher;

    /** The report store and temporary files of this process, and what deletes unneeded ones. */
    private record Files(ReportStore store, ParquetFiles parquet, Sweeper sweeper, FileDeleter deleter) {
        static Files open(
                ProcessorSettings settings, KafkaSettings kafka, DataVersions versions, MeterRegistry registry) {
            try {
                var store = settings.storage().open();
                var parquet = new ParquetFiles(settings.duckdb().tempDirectory().resolve("parquet"));
                var sweeper = Sweeper.start(
                        kafka,
                        settings.sweep(),
                        store,
                        versions,
                        parquet::deleteOlderThan,
                        InstantSource.system(),
                        registry);
                var deletion = new FileDeleter.Tools(
                        store::deleteAll,
                        sweeper::owned,
                        KafkaClientFactory.ofKafka(),
                        ServiceThreads.ofMachine(),
                        registry);
                return new Files(store, parquet, sweeper, FileDeleter.start(kafka, deletion));
            } catch (IOException e) {
                throw new SettingsException(String.valueOf(e.getMessage()));
            }
        }
    }

    private Processor(
            LedgerStreams ledger,
            RenderWorkers workers,
            Data data,
            Files files,
            KafkaAvailability probe,
            DiskSpaceMonitor disk,
            CatalogAgreement catalogs,
            VersionFacts facts,
            ExamplePublisher examples,
            @Nullable VersionSwitcher switcher) {
        this.switcher = switcher;
        this.probe = probe;
        this.disk = disk;
        this.catalogs = catalogs;
        this.ledger = ledger;
        this.workers = workers;
        this.warehouse = data.warehouse;
        this.versions = data.versions;
        this.files = files;
        this.facts = facts;
        this.tables = data.tables;
        upkeep.repeat(
                () -> {
                    data.sweep.run();
                    data.warehouse.releaseDeleted();
                },
                UPKEEP,
                UPKEEP);
        versions.check();
        upkeep.repeat(versions::check, EXAMPLES, EXAMPLES);
        upkeep.repeat(examples::publish, EXAMPLES, UPKEEP);
        upkeep.repeat(examples::publishChanged, EXAMPLES, EXAMPLES);
    }

    /**
     * Starts the service and returns before the ledger processes commands.
     *
     * @param disk monitors the folders that the processor writes to; closed with the processor
     * @param registry receives the metrics
     * @param topics waits until the topics exist; called after the preparations that need no topics
     * @param onFatal called with an error after which the service cannot go on; the process should end
     * @throws SettingsException where the settings are wrong, or Kafka is unavailable
     */
    public static Processor start(
            ProcessorSettings settings,
            KafkaSettings kafka,
            DiskSpaceMonitor disk,
            MeterRegistry registry,
            Runnable topics,
            Consumer<Throwable> onFatal) {
        Consumer<Throwable> fatal = error -> onFatal.accept(disk.explain(error));
        Data data = data(settings);
        Catalog catalog = catalog(settings);
        BackgroundTask<Integer> warmup = BackgroundTask.start("render-warmup", () -> warmUp(settings, catalog, data));
        topics.run();
        Files files = Files.open(settings, kafka, data.versions, registry);
        warmup.awaitEnd();
        var catalogs = new CatalogAgreement(catalog::declarationHash, InstantSource.system());
        var renderer = new SliceRenderer(catalog, data.warehouse, files.store(), files.parquet(), catalogs::undeclared);
        ServiceThreads threads = ServiceThreads.ofMachine();
        var runner = new TaskRenderer(renderer, files.store(), threads, UUID::randomUUID);
        var tools =
                new RenderWorkers.Tools(runner, KafkaClientFactory.ofKafka(), threads, disk::hasRoomToFinish, registry);
        ExpiredTasks.skip(
                kafka, threads.clock().instant().minus(settings.rules().times().waitTimeout()));
        RenderWorkers workers = RenderWorkers.start(kafka, settings.rendering(), tools, fatal);
        LocalWorkers local = isQuick(settings) ? workers.local() : LocalWorkers.NONE;
        LedgerStreams ledger = ledger(settings, kafka, data.versions, registry, fatal, catalogs::read, local);
        var facts = new VersionFacts(files.store(), data.tables, data.versions);
        var examples = new ExamplePublisher(catalog, data.versions, data.tables, facts, kafka);
        VersionSwitcher switcher = switcher(settings, kafka, data, examples);
        return new Processor(
                ledger,
                workers,
                data,
                files,
                KafkaAvailability.start(kafka),
                disk,
                catalogs,
                facts,
                examples,
                switcher);
    }

    /** Whether a small report may take less time than the ledger waits: nothing of it is on another machine. */
    private static boolean isQuick(ProcessorSettings settings) {
        return !JdbcWarehouse.isAddress(settings.warehouse())
                && settings.storage().folder().isPresent();
    }

    /** Null where the warehouse is behind JDBC: its versions are switched there. */
    private static @Nullable VersionSwitcher switcher(
            ProcessorSettings settings, KafkaSettings kafka, Data data, ExamplePublisher examples) {
        if (!(data.versions instanceof WarehouseFolder folder)) {
            return null;
        }
        var switcher = new VersionSwitcher(kafka, Path.of(settings.warehouse()), folder, examples::publishSoon);
        switcher.start();
        return switcher;
    }

    /**
     * Starts the ledger without render workers, so that its tasks wait in Kafka.
     *
     * @param versions the data versions that new attempts read
     */
    public static LedgerStreams ledger(
            ProcessorSettings settings,
            KafkaSettings kafka,
            DataVersions versions,
            MeterRegistry registry,
            Consumer<Throwable> onFatal) {
        return ledger(settings, kafka, versions, registry, onFatal, (command, headers) -> {}, LocalWorkers.NONE);
    }

    private static LedgerStreams ledger(
            ProcessorSettings settings,
            KafkaSettings kafka,
            DataVersions versions,
            MeterRegistry registry,
            Consumer<Throwable> onFatal,
            CommandListener listener,
            LocalWorkers workers) {
        BiFunction<ReportStatus, StoredFile, @Nullable String> urls = fileUrls(settings);
        var warmup = new LedgerWarmup(
                new Ledger(settings.rules()),
                new LedgerRecords(urls),
                InstantSource.system().instant());
        var unused = Thread.ofPlatform().name("warmup").daemon().start(warmup::run);
        Supplier<LedgerTransaction> transactions = LedgerTransaction.perThread(settings.commitInterval(), workers);
        var steps = new AccountStepSupplier(
                settings.rules(), versions, urls, registry, transactions, InstantSource.system(), listener);
        LedgerStreams run =
                LedgerStreams.start(ReportTopology.of(steps), transactions, settings.streams(), kafka, onFatal);
        ConsumerLagGauge.register(registry, "ledger", Topics.ACCOUNT_COMMANDS.name(), run::measured);
        for (KafkaStreams.State state : KafkaStreams.State.values()) {
            Gauge.builder("millrace.streams.state", run, r -> r.state() == state ? 1 : 0)
                    .description("1 for the state that the ledger's Streams client is in")
                    .tag("state", state.name().toLowerCase(Locale.ROOT))
                    .register(registry);
        }
        return run;
    }

    /** Whether the ledger processes commands, or waits for its partitions. */
    public boolean alive() {
        return ledger.alive();
    }

    public Health health() {
        return new ProcessorHealth(ledger, workers, probe, disk, catalogs, versions);
    }

    /**
     * Stops ledger and workers at the same time, so that other processors take over both. Answers of finished slices
     * are still sent.
     */
    @Override
    public void close() {
        upkeep.stop();
        if (switcher != null) {
            switcher.close();
        }
        probe.close();
        disk.close();
        files.sweeper().close();
        files.deleter().stop();
        facts.close();
        tables.close();
        ledger.leave();
        workers.close();
        ledger.close();
        upkeep.close();
        warehouse.close();
        files.parquet().close();
        files.deleter().close();
        files.store().close();
    }

    /** @param sweep deletes versions that no report reads, where the warehouse is a folder */
    private record Data(Warehouse warehouse, DataVersions versions, TableReader tables, Runnable sweep) {}

    private static Data data(ProcessorSettings settings) {
        try {
            if (JdbcWarehouse.isAddress(settings.warehouse())) {
                var warehouse = new JdbcWarehouse(settings.warehouse(), settings.jdbc());
                return new Data(warehouse, warehouse.versions(), new JdbcTableReader(warehouse), () -> {});
            }
            var folder = new WarehouseFolder(Path.of(settings.warehouse()), InstantSource.system());
            var oldVersions = new DataVersionCleanup(folder, settings.keep().versions(), System::nanoTime);
            return new Data(
                    new DuckDbWarehouse(folder, settings.duckdb()),
                    folder,
                    new FolderTableReader(
                            folder, settings.duckdb().tempDirectory().resolve("facts")),
                    oldVersions::sweep);
        } catch (WarehouseException e) {
            throw new SettingsException(String.valueOf(e.getMessage()));
        }
    }

    /**
     * With standbys, other processors do the work while this one warms up. Without them a warm-up would only make the
     * start longer.
     */
    private static int warmUp(ProcessorSettings settings, Catalog catalog, Data data) {
        if (settings.standbys() == 0 || JdbcWarehouse.isAddress(settings.warehouse())) {
            return 0;
        }
        Path folder = settings.duckdb().tempDirectory().resolve("warmup");
        return RenderWarmup.run(catalog, data.warehouse, data.versions, folder);
    }

    private static Catalog catalog(ProcessorSettings settings) {
        try {
            return Catalog.load(settings.storage().catalog());
        } catch (CatalogException e) {
            throw new SettingsException(String.valueOf(e.getMessage()));
        }
    }

    private static BiFunction<ReportStatus, StoredFile, @Nullable String> fileUrls(ProcessorSettings settings) {
        SignedLinks links = links(settings);
        return (report, file) -> {
            ReportStatus.Result result = report.result();
            return result == null
                    ? null
                    : links.link(report.reportId(), file, result.expiresAt()).toString();
        };
    }

    private static SignedLinks links(ProcessorSettings settings) {
        try {
            return new SignedLinks(
                    settings.publicAddress(), LinkSecret.load(settings.storage().linkSecret(), new SecureRandom()));
        } catch (IOException e) {
            throw new SettingsException("the link secret cannot be used: " + e.getMessage());
        }
    }
}
