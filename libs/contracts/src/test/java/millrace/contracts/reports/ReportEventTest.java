package millrace.contracts.reports;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import millrace.contracts.Hashes;
import millrace.contracts.reports.ReportEvent.QuerySummary;
import millrace.contracts.reports.ReportEvent.QuerySummary.Values;
import millrace.contracts.requests.FilterList;
import millrace.contracts.requests.ReportQuery;
import millrace.contracts.samples.SampleValues;
import org.junit.jupiter.api.Test;

class ReportEventTest {
    @Test
    void showsShortFiltersWhole() {
        QuerySummary summary = summary(keywords(10), null);
        assertThat(summary.filters()).containsExactly(Map.entry("keyword", keywords(10)));
        assertThat(summary.longFilters()).isNull();
    }

    @Test
    void showsTheFirstValuesOfALongFilter() {
        QuerySummary summary = summary(keywords(11), null);
        assertThat(summary.filters()).containsExactly(Map.entry("keyword", keywords(10)));
        assertThat(summary.longFilters())
                .containsExactly(Map.entry("keyword", new Values(11, Hashes.sha256Lines(keywords(11)))));
    }

    @Test
    void countsTheValuesOfAList() {
        QuerySummary summary =
                summary(keywords(10), Map.of("keyword", new FilterList(80_000, 1_000_000, SampleValues.HASH)));
        assertThat(summary.filters()).containsExactly(Map.entry("keyword", keywords(10)));
        assertThat(summary.longFilters()).containsExactly(Map.entry("keyword", new Values(80_000, SampleValues.HASH)));
    }

    @Test
    void tellsFormatAndCompression() {
        ReportQuery q = SampleValues.QUERY;
        assertThat(QuerySummary.of(q).responseFormat()).isEqualTo("csv");
        assertThat(QuerySummary.of(q).compression()).isEqualTo("none");
        var parquet = new ReportQuery(
                q.dataset(),
                q.entities(),
                q.countries(),
                q.metrics(),
                q.dates(),
                q.filters(),
                q.subdomains(),
                q.limit(),
                new ReportQuery.Output("download_link", "parquet", "none", "zstd"));
        assertThat(QuerySummary.of(parquet).responseFormat()).isEqualTo("parquet");
        assertThat(QuerySummary.of(parquet).compression()).isEqualTo("zstd");
    }

    private static QuerySummary summary(
            List<String> keywords, @org.jspecify.annotations.Nullable Map<String, FilterList> lists) {
        return QuerySummary.of(SampleValues.QUERY.withFilters(Map.of("keyword", keywords), lists));
    }

    private static List<String> keywords(int count) {
        return IntStream.range(0, count).mapToObj(i -> "keyword " + (100 + i)).toList();
    }
}
