package millrace.contracts.requests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EntityListTest {
    private static final EntityList FIVE = new EntityList(5, 59, "ab", 2, List.of(0L, 24L, 48L));

    @ParameterizedTest
    @CsvSource({"0, 5, 0, 0, 5", "1, 3, 0, 1, 2", "2, 4, 24, 0, 2", "3, 5, 24, 1, 2", "4, 5, 48, 0, 1"})
    void aRangeBeginsAtTheMarkBeforeIt(int from, int to, long offset, int skip, int count) {
        assertThat(FIVE.range("f", from, to)).isEqualTo(new EntityRange("f", 59, offset, skip, count));
    }

    @ParameterizedTest
    @CsvSource({"-1, 2", "2, 2", "4, 6"})
    void rangesOutsideAreRefused(int from, int to) {
        assertThatThrownBy(() -> FIVE.range("f", from, to)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "1000, 1", "1001, 2", "1000000, 1000", "1000001, 1001"})
    void thereAreNeverMoreMarksThanARecordHolds(int count, int step) {
        assertThat(EntityList.step(count)).isEqualTo(step);
        assertThat(Math.ceilDiv(count, step)).isLessThanOrEqualTo(EntityList.MOST_MARKS);
    }

    @Test
    void marksFitTheCount() {
        assertThatThrownBy(() -> new EntityList(5, 59, "ab", 2, List.of(0L)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
