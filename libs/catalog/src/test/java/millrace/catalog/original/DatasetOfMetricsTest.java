package millrace.catalog.original;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import millrace.catalog.Catalog;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.validation.TestRequests;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DatasetOfMetricsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {"demographics", "audience_interests", "keywords", "site_keywords", "traffic_and_engagement"})
    void isTheOnlyOneThatHasThem(String dataset) {
        ReadBody body = find(TestRequests.body(dataset, "{}"), TestRequests.CATALOG);
        assertThat(body.dataset()).map(Dataset::name).contains(dataset);
        assertThat(body.sent().errors()).isEmpty();
    }

    @Test
    void aMetricThatNobodyHasIsLeftToTheValidation() {
        assertThat(find("{\"metrics\":[\"demographics_share\",\"x\",5,[]]}", TestRequests.CATALOG)
                        .dataset())
                .map(Dataset::name)
                .contains("demographics");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{} | metrics: says which dataset is meant, and is missing; accepted: metrics of one of demographics,"
                        + " audience_interests, keywords, site_keywords, traffic_and_engagement, or the dataset's name in the"
                        + " path, as in /v3/batch/demographics/request-report",
                "{'metrics':['demographic_share']} | metrics: ~demographic_share~ is not a metric of any dataset; did you mean"
                        + " demographics_share?; accepted: metrics of one of demographics, audience_interests, keywords,"
                        + " site_keywords, traffic_and_engagement, or the dataset's name in the path, as in"
                        + " /v3/batch/demographics/request-report",
                "{'metrics':['demographics_share','all_keyword_cpc']} | metrics: belong to several datasets: demographics_share to"
                        + " demographics, all_keyword_cpc to keywords; accepted: metrics of one of them in a report",
                "[] | body: must be a JSON object, but is an array",
                "{'metrics':['demographics_share'] | body: is not valid JSON: it ends in the middle",
            })
    void whereThereIsNoneItSaysWhy(String json, String sentence) {
        ReadBody body = find(json.replace('\'', '"'), TestRequests.CATALOG);
        assertThat(body.dataset()).isEmpty();
        assertThat(body.sent().invalid().errors()).containsExactly(sentence.replace('~', '"'));
    }

    @Test
    void severalThatHaveThemAreListed(@TempDir Path folder) throws IOException {
        try (var keywords = Catalog.class.getResourceAsStream("/catalog/keywords.yaml")) {
            String copy = new String(keywords.readAllBytes(), StandardCharsets.UTF_8);
            Files.writeString(folder.resolve("terms.yaml"), copy.replaceFirst("(?m)^name: keywords$", "name: terms"));
        }
        ReadBody body = find("{\"metrics\":[\"all_keyword_cpc\"]}", Catalog.load(folder));
        assertThat(body.dataset()).isEmpty();
        assertThat(body.sent().errors())
                .containsExactly(
                        "metrics: are those of several datasets: keywords, terms; accepted: the name of one in the"
                                + " path, as in /v3/batch/keywords/request-report");
    }

    private static ReadBody find(String json, Catalog catalog) {
        return DatasetOfMetrics.find(new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)), catalog);
    }
}
