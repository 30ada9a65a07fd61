package millrace.gateway.copy.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PageScanTest {
    private static final int MOST = PageScan.MOST_LOOKED_AT;

    /** Of every n-th entry, ten are asked for; -1 where the page does not stop early. */
    @ParameterizedTest
    @CsvSource({
        "5, 1, 5, -1",
        "50, 1, 10, -1",
        "50, 7, 8, -1",
        "10000, 10000, 1, -1",
        "10001, 10000, 1, 9999",
        "100000, 1500, 7, 9999",
        "100000, 1000, 10, -1",
    })
    void looksAtSoMany(int entries, int every, int found, int stoppedAt) {
        PageScan<Integer> page = PageScan.of(IntStream.range(0, entries).iterator(), i -> i % every == 0, 10);
        assertThat(page.found()).hasSize(found);
        Integer last = page.stoppedAt();
        assertThat(last == null ? -1 : last).isEqualTo(stoppedAt);
    }

    /** All pages together have what matches, once, in order. */
    @Property(tries = 100)
    void pagesFollowEachOther(
            @ForAll @IntRange(min = 0, max = 3 * MOST) int entries,
            @ForAll @IntRange(min = 1, max = 2 * MOST) int every,
            @ForAll @IntRange(min = 50, max = 100) int limit) {
        List<Integer> seen = new ArrayList<>();
        @Nullable Integer last = -1;
        while (last != null) {
            PageScan<Integer> page =
                    PageScan.of(IntStream.range(last + 1, entries).iterator(), i -> i % every == 0, limit + 1);
            assertThat(page.shown(limit)).hasSizeLessThanOrEqualTo(limit);
            seen.addAll(page.shown(limit));
            last = page.last(limit);
        }
        assertThat(seen)
                .containsExactlyElementsOf(IntStream.range(0, entries)
                        .filter(i -> i % every == 0)
                        .boxed()
                        .toList());
    }

    @Test
    void anEmptyListHasOnePage() {
        var page = PageScan.of(List.<Integer>of().iterator(), i -> true, 10);
        assertThat(page.last(9)).isNull();
        assertThat(page.shown(9)).isEmpty();
    }
}
