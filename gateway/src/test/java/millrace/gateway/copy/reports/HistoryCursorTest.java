package millrace.gateway.copy.reports;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HistoryCursorTest {
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 1_795_910_400_000L, Long.MAX_VALUE})
    void writesCursorsThatReadBack(long millis) {
        var cursor = new HistoryCursor(millis, new UUID(millis, ~millis));
        assertThat(HistoryCursor.parse(cursor.text())).contains(cursor);
    }
}
