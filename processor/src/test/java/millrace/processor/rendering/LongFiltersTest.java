package millrace.processor.rendering;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import millrace.catalog.Catalog;
import millrace.processor.warehouse.SliceQuery;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class LongFiltersTest {
    /** A client can choose values of one hash, for which an immutable set compares each value with all others. */
    @Test
    @Timeout(10)
    void takesValuesOfOneHash() throws Exception {
        List<String> values = List.of("");
        while (values.size() < 1 << 16) {
            List<String> longer = new ArrayList<>();
            values.forEach(value -> {
                longer.add(value + "ab");
                longer.add(value + "bC");
            });
            values = longer;
        }
        assertThat(values.stream().mapToInt(String::hashCode).distinct()).hasSize(1);
        var task = SampleTasks.of("site_keywords", List.of("a.example"), List.of("US"), "desktop_keywords_total_visits")
                .filters(Map.of("keyword", values));
        var slice = SliceQuery.of(
                Catalog.builtIn().dataset("site_keywords").orElseThrow(), task.query(), SampleTasks.VERSION);
        var filter = new LongFilters(slice, UnaryOperator.identity());
        for (String value : values) {
            assertThat(filter.takes(new String[] {"a.example", "US", "2026-01-01", value}))
                    .isTrue();
        }
        assertThat(filter.takes(new String[] {"a.example", "US", "2026-01-01", "other"}))
                .isFalse();
    }
}
