package millrace.processor.ledger.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.MockProcessorContext.CapturedPunctuator;
import org.junit.jupiter.api.Test;

class StepAlarmTest {
    private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");

    private final MockProcessorContext<String, byte[]> context = new MockProcessorContext<>();
    private final List<Instant> rung = new ArrayList<>();
    private final StepAlarm alarm = new StepAlarm(context, () -> rung.add(now()));

    StepAlarmTest() {
        context.setCurrentSystemTimeMs(NOW.toEpochMilli());
    }

    @Test
    void ringsOnceAtTheEarliestTime() {
        alarm.by(NOW.plusSeconds(30));
        alarm.by(NOW.plusSeconds(40));
        alarm.by(NOW.plusSeconds(20));
        alarm.by(NOW.plusSeconds(30));
        assertThat(waiting()).singleElement().satisfies(next -> assertThat(next.getInterval())
                .isEqualTo(Duration.ofSeconds(20)));
        ring();
        assertThat(rung).hasSize(1);
        assertThat(waiting()).as("it rings once").isEmpty();
        alarm.by(NOW.plusSeconds(60));
        assertThat(waiting()).as("and can be set again").hasSize(1);
    }

    @Test
    void aTimeThatHasPassedRingsSoon() {
        alarm.by(NOW.minusSeconds(5));
        assertThat(waiting()).singleElement().satisfies(next -> assertThat(next.getInterval())
                .isEqualTo(Duration.ofMillis(1)));
    }

    /** Otherwise cancelled ones of years ahead would gather in the queue of Streams. */
    @Test
    void ringsWithinTenMinutesHoweverLateItIsWanted() {
        alarm.by(NOW.plus(Duration.ofDays(400)));
        alarm.by(NOW.plus(Duration.ofDays(30)));
        assertThat(context.scheduledPunctuators()).singleElement().satisfies(next -> assertThat(next.getInterval())
                .isEqualTo(Duration.ofMinutes(10)));
    }

    private Instant now() {
        return Instant.ofEpochMilli(context.currentSystemTimeMs());
    }

    private void ring() {
        waiting().forEach(next -> next.getPunctuator().punctuate(context.currentSystemTimeMs()));
    }

    private List<CapturedPunctuator> waiting() {
        return context.scheduledPunctuators().stream()
                .filter(punctuator -> !punctuator.cancelled())
                .toList();
    }
}
