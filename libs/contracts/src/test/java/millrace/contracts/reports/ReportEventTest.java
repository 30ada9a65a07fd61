package millrace.contracts.reports;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import millrace.contracts.Hashes;
import millrace.contracts.reports.ReportEvent.QuerySummary;
import millrace.contracts.reports.ReportEvent.QuerySummary.Values;
import millrace.contracts.requests.FilterList;
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

    private static QuerySummary summary(
            List<String> keywords, @org.jspecify.annotations.Nullable Map<String, FilterList> lists) {
        return QuerySummary.of(SampleValues.QUERY.withFilters(Map.of("keyword", keywords), lists));
    }

    private static List<String> keywords(int count) {
        return IntStream.range(0, count).mapToObj(i -> "keyword " + (100 + i)).toList();
    }
}
