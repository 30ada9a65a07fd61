package millrace.processor.rendering.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.ref.WeakReference;
import java.util.List;
import millrace.catalog.Catalog;
import millrace.contracts.requests.Granularity;
import millrace.processor.warehouse.SliceQuery;
import org.junit.jupiter.api.Test;

class EstimateGuardTest {
    private final EstimateGuard guard = guard();

    @Test
    void keepsTheFirstOfEqualKeys() {
        assertThat(guard.keeps(key("2026-01-05", "shoes"))).isTrue();
        assertThat(guard.keeps(key("2026-01-05", "boots"))).isTrue();
        assertThat(guard.keeps(key("2026-01-05", "shoes"))).isFalse();
        assertThat(guard.keeps(key("2026-01-12", "shoes"))).isTrue();
        assertThat(guard.keeps(key("2026-01-12", "shoes"))).isFalse();
    }

    @Test
    void keepsNoMorePeriodsThanTheRequestHas() {
        assertThat(guard.keeps(key("2026-01-05", "shoes"))).isTrue();
        assertThat(guard.keeps(key("2026-01-12", "shoes"))).isTrue();
        assertThat(guard.keeps(key("2026-01-19", "shoes"))).isFalse();
    }

    /** A domain has thousands of keywords in each country and week, so keys must not pile up. */
    @Test
    void forgetsTheKeysOfARowThatIsBehind() {
        WeakReference<String> keyword = keepsANewKey();
        assertThat(guard.keeps(key("2026-01-12", "boots"))).isTrue();
        await().until(() -> {
            System.gc();
            return keyword.get() == null;
        });
    }

    private WeakReference<String> keepsANewKey() {
        String keyword = "shoes ".repeat(2);
        assertThat(guard.keeps(key("2026-01-05", keyword))).isTrue();
        return new WeakReference<>(keyword);
    }

    private static String[] key(String date, String keyword) {
        return new String[] {"a.example", "US", date, keyword};
    }

    private static EstimateGuard guard() {
        var task = SampleTasks.of("site_keywords", List.of("a.example"), List.of("US"), "desktop_keywords_total_visits")
                .dates(Granularity.WEEKLY, "2026-01-05", "2026-01-12");
        return new EstimateGuard(SliceQuery.of(
                Catalog.builtIn().dataset("site_keywords").orElseThrow(), task.query(), SampleTasks.VERSION));
    }
}
