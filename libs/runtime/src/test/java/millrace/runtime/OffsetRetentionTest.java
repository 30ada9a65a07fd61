package millrace.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class OffsetRetentionTest {
    @Test
    void offsetsStayLongerThanWhatTheyPointTo() {
        assertThat(OffsetRetention.problem(Duration.ofDays(7)))
                .hasValueSatisfying(p -> assertThat(p).contains("after 7 days", "at least 57600"));
        assertThat(OffsetRetention.problem(Duration.ofDays(400))).isEmpty();
    }
}
