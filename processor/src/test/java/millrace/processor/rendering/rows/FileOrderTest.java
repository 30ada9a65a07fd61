package millrace.processor.rendering.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import millrace.contracts.Hashes;
import millrace.contracts.requests.Granularity;
import millrace.files.disk.DiskReportStore;
import millrace.processor.rendering.formats.ParquetFiles;
import millrace.processor.warehouse.TestWarehouse;
import millrace.processor.warehouse.duckdb.DuckDbWarehouse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The report is the same for any order of the rows in the warehouse's file. */
class FileOrderTest {
    private static final String ROWS = """
            SELECT printf('site%%02d.example', site), country, day, printf('keyword %%d', k), granularity, subdomains,
              CASE WHEN hash(site, k, day, 1) %% 5 = 0 THEN NULL WHEN hash(site, k, day) %% 50 = 0 THEN 'nan'::DOUBLE
                ELSE hash(site, country, k, day) %% 40 END,
              k, 1.5 * k, NULL, NULL, NULL, 'https://' || site || '.example/' || k, NULL, k, k, NULL, NULL
            FROM range(12) a(site), (VALUES ('DE'), ('GB'), ('US'), ('WW')) b(country),
              (VALUES (DATE '2026-01-05', 'weekly'), (DATE '2026-01-12', 'weekly'), (DATE '2026-01-06', '7days')) c(day, granularity),
              (VALUES (false), (true)) d(subdomains), range(150) e(k)
            WHERE hash(site, country, day, k, subdomains) %% 7 > 0
            ORDER BY %s""";
    private static final String SORTED = "that of reports";

    private static final Map<String, String> ORDERS = new LinkedHashMap<>(Map.of(
            SORTED,
            "1, 5, 6, 2, 3, 7 DESC NULLS LAST, 4",
            "by site only",
            "1, hash(site, country, day, k)",
            "none",
            "hash(site, country, day, k, subdomains)"));

    private static final String OF_MANY_KEYWORDS = "of more keywords than fit into a statement";

    @TempDir
    Path folder;

    @Test
    void doesNotShowInTheReport() throws Exception {
        Map<String, SampleTasks> tasks = tasks();
        Map<String, String> expected = new LinkedHashMap<>();
        for (String order :
                Stream.concat(Stream.of("none"), ORDERS.keySet().stream()).toList()) {
            var data = new TestWarehouse(folder.resolve(order))
                    .with("site_keywords", SampleTasks.VERSION, ROWS.formatted(ORDERS.get(order)));
            try (DuckDbWarehouse warehouse = data.open()) {
                compare(tasks, expected, warehouse, order);
            }
            try (DuckDbWarehouse warehouse = data.open(1_000_000)) {
                compare(tasks, expected, warehouse, order);
                warehouse.awaitIndexes();
                compare(tasks, expected, warehouse, order + ", and an index");
            }
            assertThat(Files.exists(data.index("site_keywords", SampleTasks.VERSION)))
                    .isEqualTo(order.equals(SORTED));
        }
        assertThat(expected.get(OF_MANY_KEYWORDS)).isEqualTo(expected.get("of so few keywords"));
    }

    private void compare(
            Map<String, SampleTasks> tasks, Map<String, String> expected, DuckDbWarehouse warehouse, String order)
            throws Exception {
        Path files = folder.resolve(order + " files");
        var renderer = new SliceRenderer(
                TestWarehouse.CATALOG, warehouse, new DiskReportStore(files, false), new ParquetFiles(folder));
        for (var task : tasks.entrySet()) {
            String name = "file-" + tasks.keySet().stream().toList().indexOf(task.getKey());
            SliceRenderer.Rendered slice = renderer.render(task.getValue().task(), name, new RunningSlice());
            String text = Files.readString(files.resolve(name));
            assertThat(Hashes.sha256(text)).isEqualTo(slice.file().sha256());
            assertThat(text)
                    .as("%s, rows in order: %s", task.getKey(), order)
                    .isEqualTo(expected.computeIfAbsent(task.getKey(), t -> text));
            assertThat(slice.counts().rows()).isPositive();
        }
    }

    private static Map<String, SampleTasks> tasks() {
        List<String> all = sites(0, 13);
        SampleTasks few = site(
                        sites(2, 5),
                        List.of("DE", "WW"),
                        "desktop_keywords_total_visits",
                        "desktop_keywords_top_all_url")
                .dates(Granularity.WEEKLY, "2026-01-05", "2026-01-12");
        Map<String, SampleTasks> tasks = new LinkedHashMap<>();
        tasks.put("few rows", few);
        tasks.put("one week", few.dates(Granularity.WEEKLY, "2026-01-12", "2026-01-12"));
        tasks.put("windows of seven days", few.dates(Granularity.SEVEN_DAYS, "2026-01-06", "2026-01-12"));
        tasks.put("with subdomains", few.subdomains());
        tasks.put("of some keywords", few.filters(Map.of("keyword", List.of("keyword 3", "keyword 99"))));
        tasks.put("the first ones", few.limit(77));
        tasks.put("those after them", few.skip(77));
        tasks.put(
                "many rows",
                site(all, List.of("GB", "US"), "desktop_keywords_organic_visits")
                        .dates(Granularity.WEEKLY, "2026-01-05", "2026-01-12"));
        tasks.put(
                "many rows of some keywords",
                site(all, List.of("GB", "US", "WW"), "desktop_keywords_paid_visits")
                        .dates(Granularity.WEEKLY, "2026-01-05", "2026-01-12")
                        .filters(Map.of("keyword", List.of("keyword 3", "keyword 140", "keyword 99"))));
        tasks.put(OF_MANY_KEYWORDS, few.filters(Map.of("keyword", keywords(60_000))));
        tasks.put("of so few keywords", few.filters(Map.of("keyword", keywords(100))));
        return tasks;
    }

    private static List<String> keywords(int number) {
        return IntStream.range(0, number)
                .mapToObj(k -> "keyword " + (k < 50 ? k : k + 1_000))
                .toList();
    }

    private static SampleTasks site(List<String> sites, List<String> countries, String... metrics) {
        return SampleTasks.of("site_keywords", sites, countries, metrics);
    }

    private static List<String> sites(int from, int to) {
        return IntStream.range(from, to).mapToObj("site%02d.example"::formatted).toList();
    }
}
