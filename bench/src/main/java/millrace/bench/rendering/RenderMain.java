package millrace.bench.rendering;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import millrace.bench.process.Folders;
import millrace.catalog.Catalog;
import millrace.catalog.dataset.Dataset;
import millrace.contracts.commands.RenderTask.RenderSlice;
import millrace.contracts.commands.SliceRef;
import millrace.contracts.requests.Granularity;
import millrace.contracts.requests.ReportQuery;
import millrace.files.disk.DiskReportStore;
import millrace.processor.rendering.formats.ParquetFiles;
import millrace.processor.rendering.rows.RunningSlice;
import millrace.processor.rendering.rows.SliceRenderer;
import millrace.processor.warehouse.SliceQuery;
import millrace.processor.warehouse.duckdb.DuckDbSettings;
import millrace.processor.warehouse.duckdb.DuckDbWarehouse;
import millrace.processor.warehouse.duckdb.WarehouseFolder;

/**
 * Runs what {@link SmallReportBench} measures. Arguments: warehouse, {@code small}, {@code large}
 * or {@code copy}, number, domains.
 */
final class RenderMain {
    static final String SAYS = "cpu ";

    private static final List<String> METRICS = List.of(
            "desktop_keywords_total_visits",
            "desktop_keywords_organic_visits",
            "desktop_keywords_paid_visits",
            "desktop_keywords_total_share");
    private static final List<String> COUNTRIES = List.of("AU", "BR", "DE", "ES", "FR", "GB", "IN", "JP", "US", "WW");
    private static final LocalDate FIRST_WEEK = LocalDate.of(2026, 1, 5);
    private static final int THREADS = 1;

    private RenderMain() {}

    public static void main(String[] arguments) throws Exception {
        Path root = Path.of(arguments[0]);
        int count = Integer.parseInt(arguments[2]);
        int domains = Integer.parseInt(arguments[3]);
        boolean copies = !arguments[1].endsWith("-of-engine");
        Path files = Files.createTempDirectory("millrace-bench");
        try {
            switch (arguments[1]) {
                case "copy" -> copy(root, files, count);
                case "small", "small-of-engine" -> render(warehouse(root, copies), files, count, domains);
                case "large", "large-of-engine" -> large(warehouse(root, copies), files, count);
                default -> throw new IllegalArgumentException(arguments[1]);
            }
        } finally {
            Folders.delete(files);
        }
        // The parent reads the memory first.
        new CountDownLatch(1).await();
    }

    private static void render(DuckDbWarehouse opened, Path files, int count, int domains) throws Exception {
        try (DuckDbWarehouse warehouse = opened) {
            var store = new DiskReportStore(files, false);
            var renderer = new SliceRenderer(Catalog.builtIn(), warehouse, store, new ParquetFiles(files));
            var random = new Random(1);
            long cpu = 0;
            long start = 0;
            long rows = 0;
            for (int i = -count / 2; i < count; i++) {
                if (i == 0) {
                    cpu = cpuNanos();
                    start = System.nanoTime();
                }
                var slice = task(random.ints(0, domains).distinct().limit(5).sorted(), List.of("DE", "GB", "US"), 10);
                // Renaming over an existing file makes file systems wait for the disk, which no report does.
                String name = "report-" + i;
                rows += renderer.render(slice, name, new RunningSlice())
                        .counts()
                        .rows();
                store.delete(name);
            }
            print(
                    (cpuNanos() - cpu) / 1e6 / count,
                    "%.0f reports/s on one thread, %d rows each"
                            .formatted(count / ((System.nanoTime() - start) / 1e9), rows / (count + count / 2)));
        }
    }

    private static void large(DuckDbWarehouse opened, Path files, int count) throws Exception {
        try (DuckDbWarehouse warehouse = opened) {
            var store = new DiskReportStore(files, false);
            var renderer = new SliceRenderer(Catalog.builtIn(), warehouse, store, new ParquetFiles(files));
            long cpu = cpuNanos();
            long start = System.nanoTime();
            var slice = renderer.render(task(IntStream.range(0, count), COUNTRIES, 20), "report", new RunningSlice());
            double seconds = (System.nanoTime() - start) / 1e9;
            print(
                    (cpuNanos() - cpu) / 1e9,
                    "%,d rows, %,d MB, %,.0f rows/s"
                            .formatted(
                                    slice.counts().rows(),
                                    slice.file().size() >> 20,
                                    slice.counts().rows() / seconds));
        }
    }

    private static void copy(Path root, Path files, int count) throws Exception {
        String columns = String.join(", ", METRICS);
        try (var db = DriverManager.getConnection("jdbc:duckdb:");
                Statement sql = db.createStatement()) {
            sql.execute("SET threads = " + THREADS);
            sql.execute("SET memory_limit = '512MB'");
            sql.execute("ATTACH '" + root.resolve("site_keywords").resolve("bench.duckdb") + "' AS d (READ_ONLY)");
            long cpu = cpuNanos();
            long start = System.nanoTime();
            int rows = sql.executeUpdate("COPY (SELECT domain, country, date, keyword, " + columns
                    + " FROM d.site_keywords WHERE domain < '" + domain(count)
                    + "' AND granularity = 'weekly' AND NOT subdomains"
                    + " AND country IN ('" + String.join("', '", COUNTRIES) + "')"
                    + " AND date BETWEEN '" + FIRST_WEEK + "' AND '" + FIRST_WEEK.plusWeeks(19) + "'"
                    + " ORDER BY domain, country, date, desktop_keywords_total_visits DESC NULLS LAST, keyword) TO '"
                    + files.resolve("copy.csv") + "' (HEADER)");
            print(
                    (cpuNanos() - cpu) / 1e9,
                    "%,d rows, %,.0f rows/s".formatted(rows, rows / ((System.nanoTime() - start) / 1e9)));
        }
    }

    /** Waits until its copy is complete, if it makes one. */
    private static DuckDbWarehouse warehouse(Path root, boolean copies) throws Exception {
        var warehouse = new DuckDbWarehouse(
                new WarehouseFolder(root, InstantSource.system()),
                new DuckDbSettings("512MB", THREADS, root.resolve("spill"), copies ? Long.MAX_VALUE : 0));
        RenderSlice first = task(IntStream.of(0), COUNTRIES, 1);
        Dataset dataset = Catalog.builtIn().dataset(first.query().dataset()).orElseThrow();
        warehouse
                .open(SliceQuery.of(dataset, first.query(), first.dataVersion()))
                .close();
        warehouse.awaitIndexes();
        return warehouse;
    }

    private static RenderSlice task(IntStream domains, List<String> countries, int weeks) {
        var dates = new ReportQuery.Dates(Granularity.WEEKLY, FIRST_WEEK, FIRST_WEEK.plusWeeks(weeks - 1));
        Stream<String> names = domains.mapToObj(RenderMain::domain);
        var query = new ReportQuery(
                "site_keywords",
                names.toList(),
                countries,
                METRICS,
                dates,
                Map.of(),
                false,
                null,
                ReportQuery.Output.CSV);
        return new RenderSlice("bench", new SliceRef(new UUID(0, 1), 1, 0, 1), query, "bench", false, null, true);
    }

    private static String domain(int number) {
        return "site%05d.example".formatted(number);
    }

    private static long cpuNanos() {
        return ManagementFactory.getPlatformMXBean(com.sun.management.OperatingSystemMXBean.class)
                .getProcessCpuTime();
    }

    @SuppressWarnings("SystemOut") // the parent reads it
    private static void print(double cpu, String more) {
        System.out.printf(Locale.ROOT, "%s%.3f (%s)%n", SAYS, cpu, more);
    }
}
