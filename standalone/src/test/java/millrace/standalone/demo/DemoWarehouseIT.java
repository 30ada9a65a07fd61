package millrace.standalone.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import millrace.catalog.Catalog;
import millrace.catalog.dataset.Dataset;
import millrace.processor.warehouse.duckdb.WarehouseFolder;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The demo warehouse, generated once: an eighth of it, or with the thorough tests all. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DemoWarehouseIT {
    private static final DemoData DATA =
            new DemoData(20_261_101, LocalDate.of(2026, 11, 7), Integer.getInteger("demo.sites", 64));

    /** Stays there: tests of the whole link to it, and need not generate it again. */
    private static final Path ROOT = Path.of("target", "demo-warehouse");

    private Path root;
    private Path temporary;
    private final List<Double> progress = new ArrayList<>();
    private Connection db;

    @BeforeAll
    void generate(@TempDir Path temporary) throws Exception {
        this.temporary = temporary;
        root = ROOT;
        delete(root);
        var demo = new DemoWarehouse(root, DATA);
        assertThat(demo.isFilled()).isFalse();
        Files.createDirectories(root.resolve(".unfinished"));
        Files.writeString(root.resolve(".unfinished/keywords.duckdb"), "left by a crash");
        demo.generate((fraction, dataset) -> progress.add(fraction));
        assertThat(demo.isFilled()).isTrue();
        assertThat(progress).isSorted().last().isEqualTo(1.0);
        assertThat(root.resolve(".unfinished")).doesNotExist();

        db = DriverManager.getConnection("jdbc:duckdb:");
        var folder = new WarehouseFolder(root, InstantSource.system());
        try (Statement sql = db.createStatement()) {
            for (String dataset : DemoWarehouse.datasets()) {
                Path file = folder.file(dataset, folder.current(dataset).orElseThrow());
                sql.execute("ATTACH '" + file + "' AS " + dataset + "_file (READ_ONLY)");
                sql.execute("CREATE VIEW " + dataset + " AS SELECT * FROM " + dataset + "_file." + dataset);
            }
        }
    }

    @AfterAll
    void close() throws SQLException {
        db.close();
    }

    @Test
    void leavesAWarehouseWithOtherDataAlone(@TempDir Path other) throws IOException {
        Files.createDirectories(other.resolve("keywords"));
        Files.writeString(other.resolve("keywords/mine.duckdb"), "data of the operator's own");
        new WarehouseFolder(other, InstantSource.system()).switchTo("keywords", "mine");
        assertThat(new DemoWarehouse(other, DATA).isFilled()).isTrue();
    }

    static Stream<Dataset> datasets() {
        return Catalog.builtIn().datasets().stream();
    }

    @ParameterizedTest
    @MethodSource("datasets")
    void everyMetricHasValuesAndGapsAndEveryKeyIsThereOnce(Dataset dataset) throws SQLException {
        List<String> keys =
                new ArrayList<>(dataset.keyColumns().stream().map(k -> k.name()).toList());
        keys.add("granularity");
        if (dataset.hasSubdomains()) {
            keys.add("subdomains");
        }
        String key = String.join(", ", keys);
        assertThat(number("SELECT count(*) FROM (SELECT " + key + " FROM " + dataset.name()
                        + " GROUP BY ALL HAVING count(*) > 1)"))
                .isZero();
        for (var metric : dataset.metrics()) {
            assertThat(number("SELECT count(" + metric.name() + ") / count(*) FROM " + dataset.name()))
                    .as(metric.name())
                    .isBetween(0.05, 1.0);
        }
        assertThat(number("SELECT count(DISTINCT country) FROM " + dataset.name()))
                .isEqualTo(21);
    }

    @ParameterizedTest
    @CsvSource({
        "demographics, monthly, 36",
        "audience_interests, monthly, 36",
        "keywords, monthly, 36",
        "site_keywords, weekly, 26",
        "site_keywords, 7days, 26",
        "traffic_and_engagement, daily, 60",
        "traffic_and_engagement, weekly, 26",
        "traffic_and_engagement, monthly, 36",
    })
    void everyPeriodIsThere(String dataset, String granularity, int periods) throws SQLException {
        String where = " FROM " + dataset + " WHERE granularity = '" + granularity + "'";
        assertThat(number("SELECT count(DISTINCT date)" + where)).isEqualTo(periods);
        assertThat(number("SELECT count(*)" + where + " AND date > DATE '2026-11-07'"))
                .isZero();
        assertThat(number("SELECT count(*)" + where + " AND date < DATE '" + DATA.firstDay() + "'"))
                .isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "demographics | SELECT domain FROM demographics GROUP BY domain, country, date, subdomains HAVING abs(sum(demographics_share) - 1) > 1e-9",
                "overlap | SELECT 1 FROM audience_interests WHERE desktop_audience_interests_overlap NOT BETWEEN 0 AND 1 OR mobile_audience_interests_overlap NOT BETWEEN 0 AND 1 OR domain = audience_domain",
                "difficulty | SELECT 1 FROM keywords WHERE desktop_keyword_difficulty NOT BETWEEN 1 AND 100",
                "zero clicks | SELECT 1 FROM keywords WHERE zero_clicks_share NOT BETWEEN 0 AND 1",
                "site shares | SELECT 1 FROM site_keywords GROUP BY domain, country, date, granularity, subdomains HAVING sum(desktop_keywords_total_share) > 1",
                "visits | SELECT 1 FROM site_keywords WHERE desktop_keywords_total_visits < coalesce(desktop_keywords_organic_visits, 0) + coalesce(desktop_keywords_paid_visits, 0)",
                "world | SELECT 1 FROM traffic_and_engagement GROUP BY domain, category_id, date, granularity, subdomains HAVING sum(category_sales_performance_product_views) FILTER (country = 'WW') < sum(category_sales_performance_product_views) FILTER (country <> 'WW')",
                "website of the world | SELECT 1 FROM traffic_and_engagement GROUP BY domain, date, granularity, subdomains HAVING sum(all_traffic_visits) FILTER (country = 'WW') < sum(all_traffic_visits) FILTER (country <> 'WW')",
                "devices | SELECT 1 FROM traffic_and_engagement WHERE all_traffic_visits <> desktop_visits + mobile_visits",
                "visitors | SELECT 1 FROM traffic_and_engagement WHERE desktop_unique_visitors > desktop_visits OR mobile_unique_visitors > mobile_visits OR deduplicated_audience < greatest(desktop_unique_visitors, mobile_unique_visitors) OR deduplicated_audience > desktop_unique_visitors + mobile_unique_visitors",
                "page views | SELECT 1 FROM traffic_and_engagement WHERE all_page_views < all_traffic_visits",
                "engagement | SELECT 1 FROM traffic_and_engagement WHERE all_traffic_bounce_rate NOT BETWEEN 0 AND 1 OR desktop_pages_per_visit < 1 OR mobile_pages_per_visit < 1 OR all_traffic_average_visit_duration NOT BETWEEN 30 AND 1000 OR all_traffic_pages_per_visit NOT BETWEEN mobile_pages_per_visit AND desktop_pages_per_visit",
                "rank | SELECT 1 FROM traffic_and_engagement GROUP BY domain, date, granularity HAVING min(global_rank) < 1 OR min(global_rank) <> max(global_rank)",
                "categories | SELECT 1 FROM traffic_and_engagement WHERE (category_id = 0) <> (all_traffic_visits IS NOT NULL)",
                "mondays | SELECT 1 FROM site_keywords WHERE granularity = 'weekly' AND isodow(date) <> 1",
                "windows | SELECT 1 FROM site_keywords WHERE granularity = '7days' AND (DATE '2026-11-07' - date) % 7 <> 6",
                "months | SELECT 1 FROM demographics WHERE day(date) <> 1",
            })
    void figuresArePlausible(String rule, String exceptions) throws SQLException {
        assertThat(number("SELECT count(*) FROM (" + exceptions + ")")).as(rule).isZero();
    }

    @Test
    @Tag("thorough")
    void thereIsEnoughOfEverything() throws SQLException, IOException {
        assertThat(number("SELECT count(DISTINCT domain) FROM demographics")).isEqualTo(512);
        assertThat(number("SELECT count(DISTINCT keyword) FROM keywords")).isEqualTo(2011);
        assertThat(number("SELECT count(*) FROM site_keywords WHERE granularity = 'weekly' AND NOT subdomains"))
                .isGreaterThan(1_000_000);
        try (Stream<Path> files = Files.walk(root)) {
            assertThat(files.mapToLong(DemoWarehouseIT::size).sum()).isLessThan(300_000_000);
        }
    }

    @Test
    @Tag("thorough")
    void seedAndLastDayDecideEveryFigure() throws SQLException, IOException {
        String sum = "SELECT bit_xor(hash(t)) % 1000000007 FROM keywords t";
        double here = number(sum);
        assertThat(again(DATA, "again")).isEqualTo(here);
        assertThat(again(new DemoData(43, DATA.lastDay(), DATA.sites()), "other"))
                .isNotEqualTo(here);
    }

    private double again(DemoData data, String name) throws SQLException, IOException {
        Path file = temporary.resolve(name + ".duckdb");
        new DemoDataset("keywords", data).write(file, fraction -> {});
        try (Statement sql = db.createStatement()) {
            sql.execute("ATTACH '" + file + "' AS " + name + " (READ_ONLY)");
            double sum = number("SELECT bit_xor(hash(t)) % 1000000007 FROM " + name + ".keywords t");
            sql.execute("DETACH " + name);
            return sum;
        } finally {
            assertThat(file.toFile().delete()).isTrue();
        }
    }

    private static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                files.sorted(Comparator.reverseOrder())
                        .forEach(f -> assertThat(f.toFile().delete()).isTrue());
            }
        }
    }

    private double number(String query) throws SQLException {
        try (Statement sql = db.createStatement();
                ResultSet rows = sql.executeQuery(query)) {
            assertThat(rows.next()).isTrue();
            return rows.getDouble(1);
        }
    }

    private static long size(Path file) {
        try {
            return Files.isRegularFile(file) ? Files.size(file) : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
