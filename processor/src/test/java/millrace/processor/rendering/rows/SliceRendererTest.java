package millrace.processor.rendering.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import millrace.catalog.text.Text;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.requests.FilterList;
import millrace.contracts.requests.Granularity;
import millrace.files.disk.DiskReportStore;
import millrace.files.store.ReportFileWriter;
import millrace.processor.rendering.formats.ParquetFiles;
import millrace.processor.warehouse.TestWarehouse;
import millrace.processor.warehouse.Warehouse;
import millrace.processor.warehouse.WarehouseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Renders rows of a test to a file and checks its bytes and counts. */
class SliceRendererTest {
    /** The columns of traffic_and_engagement that rows here have. */
    private static final String SALES = "(domain, category_id, country, date, granularity, subdomains,"
            + " category_sales_performance_product_views, category_sales_performance_units_sold,"
            + " category_sales_performance_revenue, category_sales_performance_cvr) ";

    private static final String KEYWORDS =
            "(domain, country, date, keyword, granularity, subdomains, desktop_keywords_total_visits) ";

    @TempDir
    private Path folder;

    @Test
    void demographics() throws Exception {
        var data = warehouse().with("demographics", "v1", """
                VALUES
                ('b.example','US','2026-01-01','65+','Male','monthly',false, 0.5, 60, 0.25, 1.5),
                ('b.example','US','2026-01-01','18-24','Male','monthly',false, 0.1, NULL, 'nan', 'infinity'),
                ('b.example','US','2026-01-01','18-24','Female','monthly',false, 0.4, 61.5, 0, 2),
                ('b.example','US','2026-01-01','18-24','Other','monthly',false, 0.4, 61.5, 0, 2),
                ('b.example','US','2026-01-01','18-24','Female','monthly',true, 0.9, 9, 9, 9),
                ('b.example','US','2025-12-01','18-24','Female','monthly',false, 0.9, 9, 9, 9),
                ('b.example','US','2026-03-01','18-24','Female','monthly',false, 0.9, 9, 9, 9),
                ('b.example','DE','2026-02-01','18-24','Female','monthly',false, 0.9, 9, 9, 9),
                ('a.example','US','2026-02-01','25-34','Male','monthly',false, 1e7, 12345678.9, 1e-7, 3),
                ('c.example','US','2026-02-01','25-34','Male','monthly',false, 1, 1, 1, 1)""");
        var task = SampleTasks.of(
                "demographics",
                List.of("a.example", "b.example", "nobody.example"),
                List.of("GB", "US"),
                "demographics_share",
                "demographics_bounce_rate",
                "demographics_avg_visit_duration",
                "demographics_pages_per_visit");

        assertThat(render(data, task))
                .isEqualTo(result(
                        new ResultCounts(4, 13, 0),
                        "domain,country,date,age_group,gender,demographics_share,demographics_bounce_rate,"
                                + "demographics_avg_visit_duration,demographics_pages_per_visit",
                        "a.example,US,2026-02-01,25-34,Male,10000000,0.0000001,12345678.9,3",
                        "b.example,US,2026-01-01,18-24,Female,0.4,0,61.5,2",
                        "b.example,US,2026-01-01,18-24,Male,0.1,,,",
                        "b.example,US,2026-01-01,65+,Male,0.5,0.25,60,1.5"));

        var filtered =
                task.filters(Map.of("age_group", List.of("18-24", "25-34", "35-44"), "gender", List.of("Female")));
        assertThat(render(data, filtered).csv().lines().skip(1))
                .containsExactly("b.example,US,2026-01-01,18-24,Female,0.4,0,61.5,2");
        assertThat(render(data, task.subdomains()).csv().lines().skip(1))
                .containsExactly("b.example,US,2026-01-01,18-24,Female,0.9,9,9,9");
        assertThat(render(data, task.limit(2).withoutHeader()).csv().lines())
                .containsExactly(
                        "a.example,US,2026-02-01,25-34,Male,10000000,0.0000001,12345678.9,3",
                        "b.example,US,2026-01-01,18-24,Female,0.4,0,61.5,2");
        assertThat(render(data, task.limit(0)).counts()).isEqualTo(ResultCounts.NONE);

        assertThat(render(data, task.skip(1).limit(2)))
                .isEqualTo(new RenderedText(
                        lines(
                                "domain,country,date,age_group,gender,demographics_share,demographics_bounce_rate,"
                                        + "demographics_avg_visit_duration,demographics_pages_per_visit",
                                "b.example,US,2026-01-01,18-24,Female,0.4,0,61.5,2",
                                "b.example,US,2026-01-01,18-24,Male,0.1,,,"),
                        new ResultCounts(2, 4 + 1, 0),
                        1));
        RenderedText beyond = render(data, task.skip(9).withoutHeader());
        assertThat(beyond).isEqualTo(new RenderedText("", ResultCounts.NONE, 4));
    }

    @Test
    void revealedDomainsAreCountedOncePerQueriedDomain() throws Exception {
        var data = warehouse().with("audience_interests", "v1", """
                VALUES
                ('a.example','US','2026-01-01','x.example','monthly',false, 1, 2, 0.5, NULL),
                ('a.example','DE','2026-01-01','x.example','monthly',false, 1, 2, 0.5, NULL),
                ('a.example','US','2026-02-01','x.example','monthly',false, 1, 2, 0.5, 0.1),
                ('a.example','US','2026-01-01','y.example','monthly',false, 1, 2, NULL, NULL),
                ('a.example','US','2026-01-01','z.example','monthly',false, 1, 2, 'nan', 0.2),
                ('b.example','US','2026-01-01','x.example','monthly',false, NULL, NULL, 0, NULL)""");
        var task = SampleTasks.of(
                        "audience_interests",
                        List.of("a.example", "b.example"),
                        List.of("DE", "US"),
                        "desktop_audience_interests_affinity",
                        "desktop_audience_interests_overlap",
                        "mobile_audience_interests_overlap")
                .countingRevealed();

        assertThat(render(data, task).counts()).isEqualTo(new ResultCounts(6, 5 + 4 + 2, 3));
        // What was left out has revealed nothing.
        assertThat(render(data, task.skip(4)).counts()).isEqualTo(new ResultCounts(2, 3 + 1, 2));
        var affinity = SampleTasks.of(
                "audience_interests", List.of("a.example"), List.of("US"), "desktop_audience_interests_affinity");
        assertThat(render(data, affinity.countingRevealed()).counts()).isEqualTo(new ResultCounts(4, 4, 0));
    }

    @Test
    void keywordsAreQuotedWhereNeededAndSortedByTheirBytes() throws Exception {
        var data = warehouse().with("keywords", "v1", """
                VALUES
                ('bread, butter','US','2026-01-01','monthly', 10, 11, 0.5, 50, 0.25),
                ('say "hi"','US','2026-01-01','monthly', 10, 11, 0.5, 50, 0.25),
                ('#1 shoe','US','2026-01-01','monthly', 10, NULL, 0.5, 50, 0.25),
                ('é','US','2026-01-01','monthly', 10, 11, 0.5, 50, 0.25),
                ('z','US','2026-01-01','monthly', 10, 11, 0.5, 50, 0.25),
                ('\uFF20x','US','2026-01-01','monthly', 10, 11, 0.5, 50, 0.25),
                ('\uD83D\uDE00','US','2026-01-01','monthly', 10, 11, 0.5, 50, 0.25)""");
        var task = SampleTasks.of(
                "keywords",
                List.of("#1 shoe", "bread, butter", "say \"hi\"", "z", "é", "\uFF20x", "\uD83D\uDE00"),
                List.of("US"),
                "all_keyword_volume");

        assertThat(render(data, task))
                .isEqualTo(result(
                        new ResultCounts(7, 6, 0),
                        "keyword,country,date,all_keyword_volume",
                        "#1 shoe,US,2026-01-01,",
                        "\"bread, butter\",US,2026-01-01,11",
                        "\"say \"\"hi\"\"\",US,2026-01-01,11",
                        "z,US,2026-01-01,11",
                        "é,US,2026-01-01,11",
                        "\uFF20x,US,2026-01-01,11",
                        "\uD83D\uDE00,US,2026-01-01,11"));
        assertThat(render(data, task.spreadsheet()).csv()).contains("\r\n'\uFF20x,US");
    }

    @Test
    void siteKeywordsAreSortedByVisitsAlsoWhereTheyWereNotAskedFor() throws Exception {
        String rest = ", NULL, NULL, NULL, NULL, NULL, 'https://a.example/,x', '', NULL, 3, NULL, NULL)";
        var data = warehouse()
                .with(
                        "site_keywords",
                        "v1",
                        "VALUES "
                                + "('a.example','US','2026-01-05','low','weekly',false, 1" + rest
                                + ",('a.example','US','2026-01-05','none','weekly',false, NULL" + rest
                                + ",('a.example','US','2026-01-05','top','weekly',false, 9" + rest
                                + ",('a.example','US','2026-01-05','tie','weekly',false, 1" + rest
                                + ",('a.example','US','2026-01-05','top','weekly',false, 0.5" + rest
                                + ",('a.example','US','2026-01-06','top','7days',false, 7" + rest);
        var task = SampleTasks.of(
                        "site_keywords",
                        List.of("a.example"),
                        List.of("US"),
                        "desktop_keywords_top_all_url",
                        "desktop_keywords_top_organic_url",
                        "desktop_keywords_top_all_url_position")
                .dates(Granularity.WEEKLY, "2026-01-05", "2026-01-05");

        assertThat(render(data, task))
                .isEqualTo(result(
                        new ResultCounts(4, 8, 0),
                        "domain,country,date,keyword,desktop_keywords_top_all_url,desktop_keywords_top_organic_url,"
                                + "desktop_keywords_top_all_url_position",
                        "a.example,US,2026-01-05,top,\"https://a.example/,x\",,3",
                        "a.example,US,2026-01-05,low,\"https://a.example/,x\",,3",
                        "a.example,US,2026-01-05,tie,\"https://a.example/,x\",,3",
                        "a.example,US,2026-01-05,none,\"https://a.example/,x\",,3"));
        assertThat(render(data, task.filters(Map.of("keyword", List.of("low", "none"))))
                        .counts())
                .isEqualTo(new ResultCounts(2, 4, 0));
        assertThat(render(data, task.dates(Granularity.SEVEN_DAYS, "2026-01-06", "2026-01-12"))
                        .counts())
                .isEqualTo(new ResultCounts(1, 2, 0));
    }

    @Test
    void theValuesOfALongFilterLieInTheStore() throws Exception {
        var data = warehouse().with("traffic_and_engagement", "v1", SALES + """
                VALUES
                ('a.example',2,'WW','2026-01-01','monthly',false, 60, 6, 3, 0.1),
                ('a.example',5,'WW','2026-01-01','monthly',false, 50, 5, 3, 0.1),
                ('a.example',10,'WW','2026-01-01','monthly',false, 40, 4, 2, 0.1)""");
        FilterList list = filterList("category_id", "10\n2\n3");
        var task = SampleTasks.of(
                        "traffic_and_engagement",
                        List.of("a.example"),
                        List.of("WW"),
                        "category_sales_performance_product_views")
                .filterLists(Map.of("category_id", List.of("10")), Map.of("category_id", list));
        assertThat(render(data, task).csv())
                .isEqualTo(lines(
                        "domain,category_id,country,date,category_sales_performance_product_views",
                        "a.example,2,WW,2026-01-01,60",
                        "a.example,10,WW,2026-01-01,40"));
    }

    /** A filter is about the data, not about what a file makes of them for a spreadsheet. */
    @Test
    void aFilterThatIsTooLongForTheEngineIsAppliedToTheRows() throws Exception {
        var data = warehouse().with("site_keywords", "v1", KEYWORDS + """
                VALUES
                ('a.example','US','2026-01-01','=formula','monthly',false, 30),
                ('a.example','US','2026-01-01','kéy 7','monthly',false, 20),
                ('a.example','US','2026-01-01','other','monthly',false, 10)""");
        List<String> values = new ArrayList<>(List.of("=formula"));
        IntStream.range(0, 2_000).forEach(i -> values.add("kéy " + i));
        values.sort(Text.UTF8);
        FilterList list = filterList("keyword", String.join("\n", values));
        var task = SampleTasks.of("site_keywords", List.of("a.example"), List.of("US"), "desktop_keywords_total_visits")
                .filterLists(Map.of("keyword", values.subList(0, 10)), Map.of("keyword", list));
        String header = "domain,country,date,keyword,desktop_keywords_total_visits";
        assertThat(render(data, task).csv())
                .isEqualTo(lines(header, "a.example,US,2026-01-01,=formula,30", "a.example,US,2026-01-01,kéy 7,20"));
        assertThat(render(data, task.spreadsheet()).csv())
                .isEqualTo(lines(header, "a.example,US,2026-01-01,'=formula,30", "a.example,US,2026-01-01,kéy 7,20"));
    }

    /** Data from before the metrics were declared: their cells are empty and free, the rest of the report is as ever. */
    @Test
    void metricsThatTheVersionLacksAreAbsent() throws Exception {
        var data = warehouse().with("traffic_and_engagement", "v1", SALES + """
                VALUES
                ('a.example',0,'US','2026-01-01','monthly',false, 70, 7, 5, 0.1),
                ('a.example',0,'WW','2026-01-01','monthly',false, 100, 10, 5, 0.1),
                ('b.example',0,'WW','2026-01-01','monthly',false, 40, 4, 2, 0.1)""");
        data.without("traffic_and_engagement", "v1", "desktop_visits", "global_rank");
        var task = SampleTasks.of(
                "traffic_and_engagement",
                List.of("a.example", "b.example"),
                List.of("US", "WW"),
                "desktop_visits",
                "category_sales_performance_product_views",
                "global_rank");
        assertThat(render(data, task))
                .isEqualTo(result(
                        new ResultCounts(3, 3, 0),
                        "domain,country,date,desktop_visits,category_sales_performance_product_views,global_rank",
                        "a.example,US,2026-01-01,,70,",
                        "a.example,WW,2026-01-01,,100,",
                        "b.example,WW,2026-01-01,,40,"));
    }

    @Test
    void categoriesAreAColumnOnlyWhereTheyWereAskedFor() throws Exception {
        var data = warehouse().with("traffic_and_engagement", "v1", SALES + """
                VALUES
                ('a.example',0,'WW','2026-01-01','monthly',false, 100, 10, 5, 0.1),
                ('a.example',2,'WW','2026-01-01','monthly',false, 60, 6, 3, 0.1),
                ('a.example',10,'WW','2026-01-01','monthly',false, 40, 4, 2, 0.1)""");
        var task = SampleTasks.of(
                "traffic_and_engagement",
                List.of("a.example"),
                List.of("WW"),
                "category_sales_performance_product_views");

        assertThat(render(data, task).csv())
                .isEqualTo(lines(
                        "domain,country,date,category_sales_performance_product_views", "a.example,WW,2026-01-01,100"));
        assertThat(render(data, task.filters(Map.of("category_id", List.of("10", "2", "3"))))
                        .csv())
                .isEqualTo(lines(
                        "domain,category_id,country,date,category_sales_performance_product_views",
                        "a.example,2,WW,2026-01-01,60",
                        "a.example,10,WW,2026-01-01,40"));
    }

    @Test
    void whatCannotBeReadLeavesNoFile() throws Exception {
        var data = warehouse().with("keywords", "v1", "VALUES ('k','US','2026-01-01','monthly',1,1,1,1,1)");
        var gone = SampleTasks.of("keywords", List.of("k"), List.of("US"), "no_such_metric");
        assertThatThrownBy(() -> render(data, gone))
                .isInstanceOfSatisfying(WarehouseException.class, e -> assertThat(e.reason())
                        .isEqualTo(WarehouseException.Reason.MISSING));
        assertThat(new DiskReportStore(folder.resolve("files"), false).list()).isEmpty();
    }

    @Test
    void aSliceThatIsCancelledBeforeItBeginsLeavesNoFile() throws Exception {
        var data = warehouse().with("keywords", "v1", "VALUES ('k','US','2026-01-01','monthly',1,1,1,1,1)");
        var task = SampleTasks.of("keywords", List.of("k"), List.of("US"), "all_keyword_volume");
        var store = new DiskReportStore(folder.resolve("files"), false);
        try (Warehouse warehouse = data.open();
                var parquet = new ParquetFiles(folder)) {
            var renderer = new SliceRenderer(TestWarehouse.CATALOG, warehouse, store, parquet);
            var running = new RunningSlice();
            running.cancel();

            assertThatThrownBy(() -> renderer.render(task.task(), "r/1/0", running))
                    .isInstanceOfSatisfying(WarehouseException.class, e -> assertThat(e.reason())
                            .isEqualTo(WarehouseException.Reason.CANCELLED));
        }
        assertThat(store.list()).isEmpty();
    }

    /** Writes the values of a filter to the store, as a gateway does. */
    private FilterList filterList(String column, String values) throws IOException {
        String name = FilterList.fileName("acme", SampleTasks.REPORT, column);
        try (ReportFileWriter file = new DiskReportStore(folder.resolve("files"), false).create(name)) {
            file.write(values.getBytes(StandardCharsets.UTF_8));
            StoredFile written = file.commit();
            return new FilterList((int) values.lines().count(), written.size(), written.sha256());
        }
    }

    private TestWarehouse warehouse() {
        return new TestWarehouse(folder.resolve("warehouse"));
    }

    private RenderedText render(TestWarehouse data, SampleTasks task) throws IOException, WarehouseException {
        return RenderedText.of(data, task, folder.resolve("files"));
    }

    private static RenderedText result(ResultCounts counts, String... lines) {
        return new RenderedText(lines(lines), counts, 0);
    }

    private static String lines(String... lines) {
        return String.join("\r\n", lines) + "\r\n";
    }
}
