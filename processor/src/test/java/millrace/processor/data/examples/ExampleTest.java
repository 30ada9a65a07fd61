package millrace.processor.data.examples;

import millrace.catalog.dataset.Dataset;
import millrace.contracts.requests.ReportQuery;
import millrace.processor.warehouse.RowStream;
import millrace.processor.warehouse.SliceQuery;
import millrace.processor.warehouse.TestWarehouse;
import millrace.processor.warehouse.WarehouseException;
import millrace.processor.warehouse.duckdb.DuckDbWarehouse;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Examples of small or incomplete data. Each example is read as a report reads it. */
class ExampleTest {
    private static final String VERSION = "v1";

    @TempDir
    private Path root;

    /** Rows are values after {@code INSERT INTO {dataset}}; the example is {@code entities, country, first to last, metrics}. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            # the newest months, a country that most know
            keywords | ('a', 'DE', '2026-10-01', 'monthly', 1, 2, 3, 4, 5), ('a', 'US', '2026-09-01', 'monthly', 1, 2, 3, 4, 5), ('b', 'US', '2026-10-01', 'monthly', 1, 2, 3, 4, 5), ('c', 'US', '2026-01-01', 'monthly', 1, 2, 3, 4, 5) | [a, b] US 2026-09-01 to 2026-10-01 [all_keyword_monthly_search_volume, all_keyword_volume]
            # plain words before others
            keywords | ('"x" y', 'US', '2026-10-01', 'monthly', 1, 2, 3, 4, 5), ('7 a', 'US', '2026-10-01', 'monthly', 1, 2, 3, 4, 5), ('b', 'US', '2026-10-01', 'monthly', 1, 2, 3, 4, 5), ('c', 'US', '2026-10-01', 'monthly', 1, 2, 3, 4, 5) | [b, c] US 2026-10-01 to 2026-10-01 *
            # only metrics that have values
            keywords | ('a', 'DE', '2026-10-01', 'monthly', NULL, NULL, 3, NULL, NULL), ('b', 'DE', '2026-10-01', 'monthly', NULL, NULL, NULL, NULL, NULL) | [a] DE 2026-10-01 to 2026-10-01 [all_keyword_cpc]
            keywords | ('a', 'DE', '2026-10-01', 'monthly', NULL, NULL, NULL, NULL, NULL) | none
            # a domain alone, not with its subdomains
            site_keywords | ('a.example', 'FR', '2026-10-05', 'x', 'weekly', false, 1, 2, 3, 4, 5, 6, 'u', 'u', 'u', 1, 2, 3), ('b.example', 'US', '2026-10-05', 'x', 'weekly', true, 1, 2, 3, 4, 5, 6, 'u', 'u', 'u', 1, 2, 3) | [a.example] FR 2026-10-05 to 2026-10-05 *
            """)
    void findsWhatIsThere(String dataset, String values, String expected) throws Exception {
        var data = new TestWarehouse(root).with(dataset, VERSION, "VALUES " + values);
        Optional<ReportQuery> example = example(data, TestWarehouse.dataset(dataset));
        assertThat(example.map(ExampleTest::words).orElse("none"))
                .matches(words -> expected.endsWith("*")
                        ? words.startsWith(expected.substring(0, expected.length() - 1))
                        : words.equals(expected));
        if (example.isPresent()) {
            assertThat(rows(data, example.get())).isPositive();
        }
    }

    /** Every dataset and kind of filter. */
    @Test
    void findsRowsInOddData() throws Exception {
        var data = new TestWarehouse(root);
        for (Dataset dataset : TestWarehouse.CATALOG.datasets()) {
            data.withEdgeCases(dataset, VERSION);
            ReportQuery example = example(data, dataset).orElseThrow();
            assertThat(rows(data, example)).as("%s", example).isPositive();
        }
    }

    /** Data from before the metrics were declared. */
    @Test
    void leavesOutMetricsThatTheVersionLacks() throws Exception {
        Dataset keywords = TestWarehouse.dataset("keywords");
        var data =
                new TestWarehouse(root).with("keywords", VERSION, "VALUES ('a','US','2026-10-01','monthly',1,2,3,4,5)");
        data.without("keywords", VERSION, "all_keyword_monthly_search_volume", "zero_clicks_share");
        assertThat(finder(data).absentMetrics(keywords, VERSION))
                .containsExactly("all_keyword_monthly_search_volume", "zero_clicks_share");
        assertThat(example(data, keywords).orElseThrow().metrics())
                .containsExactly("all_keyword_volume", "all_keyword_cpc");
    }

    private ExampleFinder finder(TestWarehouse data) {
        return new ExampleFinder(new FolderTableReader(data.folder(), root.resolve("spill")));
    }

    private Optional<ReportQuery> example(TestWarehouse data, Dataset dataset) throws WarehouseException {
        return finder(data).find(dataset, VERSION);
    }

    private static String words(ReportQuery query) {
        return query.entities() + " " + String.join(",", query.countries()) + " "
                + query.dates().first() + " to " + query.dates().last() + " " + query.metrics();
    }

    private static int rows(TestWarehouse data, ReportQuery query) throws WarehouseException {
        try (DuckDbWarehouse warehouse = data.open();
                RowStream rows =
                        warehouse.open(SliceQuery.of(TestWarehouse.dataset(query.dataset()), query, VERSION))) {
            int count = 0;
            while (rows.next()) {
                count++;
            }
            return count;
        }
    }
}
