package millrace.processor.rendering.rows;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import millrace.catalog.Catalog;
import millrace.processor.warehouse.SliceQuery;
import millrace.processor.warehouse.StubRows;
import org.jspecify.annotations.Nullable;
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
        var filter = new LongFilters(slice);
        assertThat(values).allMatch(value -> filter.takes(new Row(value)));
        assertThat(filter.takes(new Row("other"))).isFalse();
        assertThat(filter.takes(new Row(null))).isFalse();
    }

    /** A row of which only the keyword is asked for, in the column where the file has it. */
    private static final class Row extends StubRows {
        private static final int KEYWORD = 3;

        private final @Nullable String keyword;

        Row(@Nullable String keyword) {
            this.keyword = keyword;
        }

        @Override
        public boolean absent(int column) {
            return keyword == null;
        }

        @Override
        public String text(int column) {
            assertThat(column).isEqualTo(KEYWORD);
            return requireNonNull(keyword);
        }
    }
}
