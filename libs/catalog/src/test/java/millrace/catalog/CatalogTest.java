package millrace.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import millrace.catalog.dataset.CapabilityCategory;
import millrace.catalog.dataset.ColumnType;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.dataset.DatasetMetric;
import millrace.catalog.dataset.ValueRange;
import millrace.catalog.report.ReportLayout;
import millrace.catalog.validation.CheckedRequest;
import millrace.catalog.validation.RequestLimits;
import millrace.catalog.validation.RequestValidator;
import millrace.catalog.validation.TestRequests;
import millrace.contracts.requests.ApiDialect;
import millrace.contracts.requests.Granularity;
import millrace.contracts.requests.ReportQuery;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CatalogTest {
    /** A dataset that a user could write. */
    private static final String OWN = """
            name: app_ranks
            description: Ranks of apps.
            entity: {field: apps, column: app, kind: keyword}
            key_columns:
              - {name: app, type: text}
              - {name: country, type: text}
              - {name: date, type: date}
              - {name: store, type: text}
            filters:
              - {field: stores, also: [store_names], column: store, kind: choice, values: [Apple, Google]}
            price_rule: {name: per_10_results, words: 1 credit per 10 results, divisor: 10, counts_revealed: false}
            metrics:
              - {name: rank, type: integer, unit: rank, meaning: Rank, granularities: [daily], categories: [app_data]}
              - {name: installs, type: double, unit: installs, meaning: Installs, granularities: [monthly, daily],
                 categories: [app_data, app_engagement_data]}
            """;

    @TempDir
    Path dir;

    @Test
    void hasTheFiveDatasets() {
        assertThat(TestRequests.CATALOG.names())
                .containsExactly(
                        "demographics", "audience_interests", "keywords", "site_keywords", "traffic_and_engagement");
    }

    /** Name, type and granularities as the public description lists them; categories follow from the prefix. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "demographics | DOUBLE | monthly | demographics_share demographics_avg_visit_duration"
                        + " demographics_bounce_rate demographics_pages_per_visit",
                "audience_interests | DOUBLE | monthly | desktop_audience_interests_affinity"
                        + " mobile_audience_interests_affinity desktop_audience_interests_overlap"
                        + " mobile_audience_interests_overlap",
                "keywords | DOUBLE | monthly | all_keyword_monthly_search_volume all_keyword_volume all_keyword_cpc"
                        + " desktop_keyword_difficulty zero_clicks_share",
                "site_keywords | DOUBLE | weekly 7days | desktop_keywords_total_visits desktop_keywords_organic_visits"
                        + " desktop_keywords_paid_visits desktop_keywords_total_share desktop_keywords_organic_share"
                        + " desktop_keywords_paid_share",
                "site_keywords | TEXT | weekly 7days | desktop_keywords_top_all_url desktop_keywords_top_organic_url"
                        + " desktop_keywords_top_paid_url",
                "site_keywords | INTEGER | weekly 7days | desktop_keywords_top_all_url_position"
                        + " desktop_keywords_top_organic_url_position desktop_keywords_top_paid_url_position",
                "traffic_and_engagement | DOUBLE | daily weekly monthly | category_sales_performance_product_views"
                        + " category_sales_performance_units_sold category_sales_performance_revenue"
                        + " category_sales_performance_cvr all_traffic_visits desktop_visits mobile_visits"
                        + " desktop_unique_visitors mobile_unique_visitors deduplicated_audience all_page_views"
                        + " all_traffic_bounce_rate desktop_bounce_rate mobile_bounce_rate"
                        + " all_traffic_pages_per_visit desktop_pages_per_visit mobile_pages_per_visit"
                        + " all_traffic_average_visit_duration desktop_average_visit_duration"
                        + " mobile_average_visit_duration",
                "traffic_and_engagement | INTEGER | daily weekly monthly | global_rank",
            })
    void declaresTheMetricsOfTheDescription(String dataset, ColumnType type, String granularities, String metrics) {
        List<DatasetMetric> declared = TestRequests.dataset(dataset).metrics().stream()
                .filter(m -> m.type() == type)
                .toList();
        assertThat(declared.stream().map(DatasetMetric::name).collect(Collectors.joining(" ")))
                .isEqualTo(metrics);
        assertThat(declared).allSatisfy(m -> {
            assertThat(m.granularities().stream().map(g -> g.word()).collect(Collectors.joining(" ")))
                    .isEqualTo(granularities);
            assertThat(m.categories())
                    .isEqualTo(
                            m.name().startsWith("desktop_")
                                    ? List.of(CapabilityCategory.WEB_DESKTOP)
                                    : m.name().startsWith("mobile_")
                                            ? List.of(CapabilityCategory.WEB_MOBILE)
                                            : List.of(CapabilityCategory.WEB_DESKTOP, CapabilityCategory.WEB_MOBILE));
            assertThat(m.overlap()).isEqualTo(m.name().endsWith("_overlap"));
        });
    }

    @Test
    void aDatasetOfTheUsersOwnIsOneFile() throws IOException {
        Files.writeString(dir.resolve("app_ranks.yaml"), OWN);
        Files.writeString(dir.resolve("readme.txt"), "not a dataset");
        Dataset own = Catalog.load(dir).dataset("app_ranks").orElseThrow();
        String body = """
                {"apps":["Chess"],"countries":["US"],"metrics":["rank"],"start_date":"2025-09-01",
                 "end_date":"2025-09-30","granularity":"%s","stores":["google"]}""";
        var validator = new RequestValidator(RequestLimits.DEFAULT);
        CheckedRequest daily = validator.validate(
                own,
                body.formatted("daily").getBytes(StandardCharsets.UTF_8),
                TestRequests.only(CapabilityCategory.APP),
                ApiDialect.V3);
        assertThat(((CheckedRequest.Valid) daily).quote().credits()).isEqualTo(3);
        assertThat(ReportLayout.of(own, ((CheckedRequest.Valid) daily).request().query())
                        .header())
                .containsExactly("app", "country", "date", "store", "rank");
        CheckedRequest monthly = validator.validate(
                own,
                body.formatted("monthly").getBytes(StandardCharsets.UTF_8),
                TestRequests.only(CapabilityCategory.APP),
                ApiDialect.V3);
        assertThat(((CheckedRequest.Invalid) monthly).errors())
                .containsExactly("metrics: rank has no granularity monthly; accepted for it: daily");
    }

    /** A unit means a range, unless the metric declares its own. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "unit: installs | - | -1e300 1e300",
                "unit: fraction | from 0 to 1 | 0 0.5 1",
                "unit: percent | from 0 to 100 | 0 99.9 100",
                "unit: percent, range: {from: -100} | from -100 | -100 1e300",
                "unit: score, range: {from: 1, to: 100} | from 1 to 100 | 1 100",
                "unit: score, range: {to: 0.5} | up to 0.5 | -7 0.5",
            })
    void aMetricHasARange(String unit, String words, String inside) throws IOException {
        Files.writeString(dir.resolve("app_ranks.yaml"), OWN.replace("unit: installs", unit));
        DatasetMetric metric = Catalog.load(dir)
                .dataset("app_ranks")
                .orElseThrow()
                .metric("installs")
                .orElseThrow();
        Optional<ValueRange> range = Optional.ofNullable(metric.range());
        assertThat(range.map(ValueRange::words).orElse("-")).isEqualTo(words);
        assertThat(inside.split(" "))
                .allMatch(value -> range.isEmpty() || range.get().contains(Double.parseDouble(value)));
        assertThat(range.map(r -> r.from() == null || !r.contains(r.from().doubleValue() - 0.001)))
                .isNotEqualTo(Optional.of(false));
        assertThat(range.map(r -> r.to() == null || !r.contains(r.to().doubleValue() + 0.001)))
                .isNotEqualTo(Optional.of(false));
    }

    /** Metrics of the file come last, those that are built in keep what it does not name. */
    @Test
    void aFileExtendsABuiltInDataset() throws IOException {
        Files.writeString(dir.resolve("keywords.yaml"), """
                extends: keywords
                price_rule: {name: per_result, words: 1 credit per result, divisor: 1, counts_revealed: false}
                metrics:
                  - {name: brand_share, type: double, unit: percent, meaning: Share, granularities: [monthly],
                     categories: [web_desktop_data]}
                  - {name: all_keyword_cpc, unit: EUR, meaning: Cost per click in euros}
                  - {name: zero_clicks_share, unit: percent}
                  - {name: desktop_keyword_difficulty, range: {from: 0, to: 10}}
                """);
        Catalog extended = Catalog.load(dir);
        assertThat(extended.names()).isEqualTo(TestRequests.CATALOG.names());
        Dataset before = TestRequests.dataset("keywords");
        Dataset after = extended.dataset("keywords").orElseThrow();
        assertThat(after.metrics().stream().map(DatasetMetric::name))
                .startsWith(before.metrics().stream().map(DatasetMetric::name).toArray(String[]::new))
                .endsWith("brand_share")
                .hasSize(before.metrics().size() + 1);
        assertThat(after.priceRule().divisor()).isEqualTo(1);
        assertThat(after.metric("all_keyword_volume")).isEqualTo(before.metric("all_keyword_volume"));
        assertThat(after.metric("all_keyword_cpc").orElseThrow())
                .isEqualTo(new DatasetMetric(
                        "all_keyword_cpc",
                        ColumnType.DOUBLE,
                        "EUR",
                        "Cost per click in euros",
                        List.of(Granularity.MONTHLY),
                        List.of(CapabilityCategory.WEB_DESKTOP, CapabilityCategory.WEB_MOBILE),
                        null,
                        null,
                        null));
        assertThat(range(after, "zero_clicks_share")).isEqualTo("from 0 to 100");
        assertThat(range(after, "desktop_keyword_difficulty")).isEqualTo("from 0 to 10");
        assertThat(range(before, "desktop_keyword_difficulty")).isEqualTo("from 1 to 100");
    }

    private static String range(Dataset dataset, String metric) {
        return Objects.requireNonNull(dataset.metric(metric).orElseThrow().range())
                .words();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "extends: keyword | extends: \"keyword\" is not a built-in dataset; accepted: demographics, audience_interests,",
                "extends: 7 | extends: 7 is not a built-in dataset; accepted: demographics,",
                "extends: demographics | extends: is \"demographics\", but the file is called keywords.yaml",
                "extends: keywords | declares nothing beside keywords; accepted: metrics, price_rule",
                "extends: keywords⏎name: keywords | name: is not a field here; accepted: metrics, price_rule",
                "extends: keywords⏎metrics: [{name: x}] | metrics[0].type: is missing",
                "extends: keywords⏎metrics: [{name: all_keyword_cpc, type: text}] | metrics[0].type: all_keyword_cpc is built in,"
                        + " and this cannot be changed; accepted: unit, meaning, range",
                "extends: keywords⏎metrics: [{name: all_keyword_cpc, unti: EUR}] | metrics[0].unti: all_keyword_cpc is built in",
                "extends: keywords⏎metrics: [{name: all_keyword_cpc, unit: EUR}, {name: all_keyword_cpc, unit: USD}] | metrics:"
                        + " column all_keyword_cpc is declared twice",
                "extends: keywords⏎metrics: [{name: keyword, type: text, unit: x, meaning: x, granularities: [monthly],"
                        + " categories: [app_data]}] | metrics: column keyword is declared twice",
                "extends: keywords⏎metrics: 5 | metrics: Cannot",
            })
    void aWrongExtensionFailsWithOneLine(String content, String problem) throws IOException {
        Path file = dir.resolve("keywords.yaml");
        Files.writeString(file, content.replace("⏎", "\n"));
        assertThatThrownBy(() -> Catalog.load(dir))
                .isInstanceOf(CatalogException.class)
                .hasMessageStartingWith(file + ": " + problem)
                .hasMessageNotContaining("\n");
    }

    /** Two catalogs have the same hash for a report where both would make the same file of it. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "unit: rank | unit: place | same",
                "divisor: 10 | divisor: 20 | same",
                "name: installs | name: removals | same",
                "type: double | type: integer | same",
                "{name: rank, type: integer | {name: rank, type: double | differs",
                "name: rank, | name: ranks, | none",
                "values: [Apple, Google] | values: [Apple, Google, Huawei] | differs",
                "also: [store_names] | also: [shops] | same",
                "name: app_ranks | name: app_places | none",
            })
    void theHashOfADeclarationIsThatOfTheFile(String old, String changed, String expected) throws IOException {
        ReportQuery query = ranks();
        Files.writeString(dir.resolve("app_ranks.yaml"), OWN);
        Optional<String> here = Catalog.load(dir).declarationHash(query);
        assertThat(here.orElseThrow()).matches("[0-9a-f]{16}");
        assertThat(OWN).contains(old);
        Files.delete(dir.resolve("app_ranks.yaml"));
        String name = changed.equals("name: app_places") ? "app_places" : "app_ranks";
        Files.writeString(dir.resolve(name + ".yaml"), OWN.replace(old, changed));
        Optional<String> there = Catalog.load(dir).declarationHash(query);
        assertThat(there.isEmpty() ? "none" : there.equals(here) ? "same" : "differs")
                .isEqualTo(expected);
        assertThat(Catalog.builtIn().declarationHash(query)).isEmpty();
    }

    private static ReportQuery ranks() {
        return new ReportQuery(
                "app_ranks",
                List.of("chess"),
                List.of("US"),
                List.of("rank"),
                new ReportQuery.Dates(Granularity.DAILY, LocalDate.parse("2025-09-01"), LocalDate.parse("2025-09-30")),
                Map.of(),
                false,
                null,
                ReportQuery.Output.CSV);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "name: app_ranks | name: apps | name: is \"apps\", but the file is called app_ranks.yaml",
                "name: app_ranks | name: App | name: \"App\" is not a name of lower-case letters, digits and _, 1 to 63"
                        + " characters",
                "name: app_ranks | nam: app_ranks | nam: is not a field here; did you mean name?; accepted: name, description, entity,",
                "kind: keyword | kind: app | entity.kind: \"app\" is not one of domain, keyword",
                "type: integer | type: int | metrics[0].type: \"int\" is not one of text, date, integer, double",
                "type: integer | type: date | metrics[0].type: a metric is text, integer or double, not date",
                "[daily] | [hourly] | metrics[0].granularities[0]: unknown granularity: hourly",
                "[daily] | [] | metrics[0].granularities: at least one is needed",
                "[daily] | daily | metrics[0].granularities",
                "[app_data] | [app] | metrics[0].categories[0]: \"app\" is not one of web_desktop_data, web_mobile_data,"
                        + " app_data, app_engagement_data",
                "divisor: 10 | divisor: 0 | price_rule: divisor of price rule per_10_results must be at least 1: 0",
                "divisor: 10 | divisor: ten | price_rule.divisor: Cannot coerce String value (\"ten\") to `int` value",
                "- {field: stores | - {feild: stores | filters[0].feild: is not a field here; did you mean field?",
                "filters: | filter: | filter: is not a field here; did you mean filters?",
                ", divisor: 10 | '' | price_rule.divisor: is missing",
                "description: Ranks of apps. | '' | description: is missing",
                "- {name: date, type: date} | '' | key_columns: there is no key column \"date\"",
                "{name: date, type: date} | {name: date, type: text} | key_columns: key column date must be of type date",
                "{name: date, type: date} | {name: date, type: double} | key_columns[2].type: a key column is text, integer or"
                        + " date, not double",
                "column: app, | column: ap, | entity: there is no key column \"ap\"",
                "column: store | column: shop | filters.stores: there is no key column \"shop\"",
                "also: [store_names] | also: [limit] | filters: field limit is declared twice",
                "field: stores | field: apps | filters: field apps is declared twice",
                "field: apps | field: filters | entity: field filters is a field of every request",
                "values: [Apple, Google] | values: [Apple, apple] | filters[0].values: the same value twice",
                ", values: [Apple, Google] | '' | filters[0].values: a filter of kind choice lists its values",
                "kind: choice, values: [Apple, Google] | kind: keyword | max_rows: is needed, since the number of rows per entity"
                        + " is open",
                "name: installs | name: rank | metrics: column rank is declared twice",
                "name: installs | name: granularity | metrics: column granularity is reserved",
                "name: installs | name: drop table | metrics[1].name: \"drop table\" is not a name of lower-case letters, digits"
                        + " and _, 1 to 63 characters",
                "counts_revealed: false | counts_revealed: true | price_rule: counts revealed domains, but no metric reveals one",
                "unit: rank, | unit: rank, reveals: shop, | metrics.reveals: there is no key column \"shop\"",
                "metrics: | row_order: [app]⏎metrics: | row_order: key column country is missing, so the order would not be"
                        + " complete",
                "metrics: | row_order: [app, country, date, store, x desc]⏎metrics: | row_order: \"x\" is neither a key column nor a"
                        + " metric",
                "unit: rank, | unit: rank, range: {form: 1}, | metrics[0].range.form: is not a field here; did you mean from?",
                "unit: rank, | unit: rank, range: {}, | metrics[0].range: names neither from nor to",
                "unit: rank, | unit: rank, range: {from: 2, to: 1}, | metrics[0].range.from: 2 is above 1",
                "unit: rank, | unit: rank, range: {from: x}, | metrics[0].range.from: Cannot",
                "type: integer, unit: rank, | type: text, unit: rank, range: {from: 1}, | metrics[0].range: only figures have a"
                        + " range, not text",
                "unit: rank, | unit: rank, without: [stores], | metrics.without: \"stores\" of rank is not the field of a"
                        + " filter that has a total",
                "metrics: | max_rows: 0⏎metrics: | max_rows: must be at least 1",
                "metrics: | default_country: world⏎metrics: | default_country: is not two upper-case letters",
                "metrics: | metrics: [⏎ | line",
                "name: app_ranks | name: app_ranks⏎name: app_ranks | line 2: Duplicate field 'name'",
            })
    void aWrongFileFailsWithOneLine(String old, String changed, String problem) throws IOException {
        Path file = dir.resolve("app_ranks.yaml");
        assertThat(OWN).contains(old);
        int at = OWN.indexOf(old);
        Files.writeString(file, OWN.substring(0, at) + changed.replace("⏎", "\n") + OWN.substring(at + old.length()));
        assertThatThrownBy(() -> Catalog.load(dir))
                .isInstanceOf(CatalogException.class)
                .hasMessageStartingWith(file + ": " + problem)
                .hasMessageNotContaining("\n");
    }

    @Test
    void aByteOrderMarkIsUnderstoodAndAnotherEncodingIsSaid() throws IOException {
        Files.writeString(dir.resolve("app_ranks.yaml"), "\uFEFF" + OWN);
        assertThat(Catalog.load(dir).dataset("app_ranks")).isPresent();
        Files.write(dir.resolve("app_ranks.yaml"), "a: 1\nb: \u00fc\n".getBytes(StandardCharsets.ISO_8859_1));
        assertThatThrownBy(() -> Catalog.load(dir))
                .isInstanceOf(CatalogException.class)
                .hasMessageContaining("app_ranks.yaml: line 2 is not UTF-8");
    }

    @Test
    void anEmptyFileADoubledNameAndAMissingDirectoryAreSaid() throws IOException {
        assertThatThrownBy(() -> Catalog.load(dir.resolve("none")))
                .isInstanceOf(CatalogException.class)
                .hasMessageContaining("none: cannot be listed");
        Files.writeString(dir.resolve("own.yaml"), "");
        assertThatThrownBy(() -> Catalog.load(dir))
                .isInstanceOf(CatalogException.class)
                .hasMessageContaining("own.yaml: ");
        Files.delete(dir.resolve("own.yaml"));
        Files.write(
                dir.resolve("keywords.yaml"),
                Objects.requireNonNull(CatalogTest.class.getResourceAsStream("/catalog/keywords.yaml"))
                        .readAllBytes());
        assertThatThrownBy(() -> Catalog.load(dir))
                .isInstanceOf(CatalogException.class)
                .hasMessageEndingWith(
                        "keywords.yaml: name: there is already a dataset keywords; a file that adds to it says"
                                + " extends: keywords");
    }
}
