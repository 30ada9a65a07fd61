package millrace.runtime.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class OffsetRetentionCheckTest {
    @Test
    void offsetsStayLongerThanWhatTheyPointTo() {
        assertThat(OffsetRetentionCheck.problem(Duration.ofDays(7)))
                .hasValueSatisfying(p -> assertThat(p).contains("after 7 days", "at least 57600"));
        assertThat(OffsetRetentionCheck.problem(Duration.ofDays(400))).isEmpty();
    }
}
