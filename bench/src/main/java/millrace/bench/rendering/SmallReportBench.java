package millrace.bench.rendering;

import static millrace.bench.process.Output.print;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import millrace.bench.process.BenchOptions;
import millrace.bench.process.ChildProcess;
import millrace.bench.process.Measurements;
import millrace.catalog.Catalog;
import millrace.catalog.dataset.Dataset;
import millrace.processor.warehouse.duckdb.WarehouseFolder;

/**
 * Measures rendering without Kafka: CPU of a small report (5 domains, 3 countries, 10 weeks, 900
 * rows, 8 columns), and of a large report (all rows of so many domains: 1,200 each) beside DuckDB's
 * own COPY of the same rows, on one thread each. Site keywords of so many domains, in 10 countries,
 * 20 weeks, 6 keywords. First from the entity index, then, {@code of-engine}, by statements.
 */
public final class SmallReportBench {
    private SmallReportBench() {}

    public static void main(String[] arguments) throws Exception {
        var options = BenchOptions.parse(
                arguments,
                "--domains 4000 --reports 4000 --rounds 3 --large 4000 --data bench/target/small-report",
                "--reports 100 --rounds 1 --large 100");
        int domains = options.number("domains");
        Path data = Path.of(options.text("data")).toAbsolutePath();
        warehouse(data.resolve(Integer.toString(domains)), domains);
        for (String what : List.of("small", "small-of-engine", "large", "large-of-engine", "copy")) {
            int count = options.number(what.startsWith("small") ? "reports" : "large");
            var cpu = new double[options.number("rounds")];
            String said = "";
            for (int i = 0; i < cpu.length; i++) {
                try (ChildProcess child = ChildProcess.start(
                        RenderMain.class,
                        List.of("-Xmx256m"),
                        data.resolve(Integer.toString(domains)).toString(),
                        what,
                        Integer.toString(count),
                        Integer.toString(domains))) {
                    said = child.await(RenderMain.SAYS, Duration.ofMinutes(5));
                    String figure = said.substring(RenderMain.SAYS.length()).replaceFirst(" .*", "");
                    cpu[i] = Double.parseDouble(figure);
                    said += String.format(Locale.ROOT, ", peak memory %,d MB at -Xmx256m", child.peakMemory() >> 20);
                }
            }
            print(
                    "%s: %s %s; the last round: %s",
                    what, Measurements.of(cpu), what.startsWith("small") ? "ms CPU each" : "s CPU", said);
        }
    }

    /** Makes the data once. */
    private static void warehouse(Path root, int domains) throws IOException, SQLException {
        Dataset dataset = Catalog.builtIn().dataset("site_keywords").orElseThrow();
        var folder = new WarehouseFolder(root, InstantSource.system());
        if (folder.current(dataset.name()).isPresent()) {
            return;
        }
        print("making the data, once");
        Path file = Files.createDirectories(root).resolve("new.duckdb");
        Files.deleteIfExists(file);
        try (var db = DriverManager.getConnection("jdbc:duckdb:" + file);
                Statement sql = db.createStatement()) {
            sql.execute("""
                    CREATE TABLE site_keywords (domain VARCHAR, country VARCHAR, date DATE,
                      keyword VARCHAR USING COMPRESSION uncompressed, granularity VARCHAR, subdomains BOOLEAN,
                      desktop_keywords_total_visits DOUBLE, desktop_keywords_organic_visits DOUBLE,
                      desktop_keywords_paid_visits DOUBLE, desktop_keywords_total_share DOUBLE)""");
            for (int from = 0; from < domains; from += 200) {
                sql.execute("""
                        INSERT INTO site_keywords
                        SELECT printf('site%%05d.example', d), ['AU','BR','DE','ES','FR','GB','IN','JP','US','WW'][c + 1],
                          DATE '2026-01-05' + 7 * w::INTEGER, printf('keyword %%d of %%d', k, hash(d, k) %% 100000), 'weekly', false,
                          (10 - k) * 1000 + hash(d, c, w, k) %% 100000 / 100, hash(d, c, w, k, 1) %% 100000 / 100,
                          hash(d, c, w, k, 2) %% 10000 / 100, hash(d, c, w, k, 3) %% 1000000 / 1000000
                        FROM range(%d, %d) a(d), range(10) b(c), range(20) e(w), range(6) f(k)
                        ORDER BY 1, 5, 6, 2, 3, 7 DESC, 4""".formatted(from, Math.min(domains, from + 200)));
            }
        }
        folder.publish(file, dataset.name(), "bench");
        folder.switchTo(dataset.name(), "bench");
    }
}
