package millrace.gateway.api.events;

import static org.assertj.core.api.Assertions.assertThat;

import millrace.gateway.copy.activity.ActivityEvent;
import millrace.gateway.copy.activity.Positions;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FeedPositionTest {
    private final FakeActivity.Log log = new FakeActivity.Log();
    private final Positions start = new FakeActivity(log).end();

    @Test
    void isTheSameWhenItIsReadAgain() {
        FeedPosition position = FeedPosition.at(start).after(log.append("acme", 0, 1));
        for (FeedPosition one : new FeedPosition[] {FeedPosition.at(start), position, position.afterLow()}) {
            assertThat(FeedPosition.parse(one.text())).contains(one);
            assertThat(one.text()).matches("[A-Za-z0-9_-]+(\\.low)?");
        }
    }

    /** Between the two events of one entry others may come, at another gateway. */
    @Test
    void remembersThatLowWasSentUntilItsEntry() {
        FeedPosition sent = FeedPosition.at(start).afterLow();
        ActivityEvent other = log.append("acme", 2, 0);
        ActivityEvent low = log.append("acme", 3, 0);
        assertThat(sent.after(other).lowSent()).isTrue();
        assertThat(sent.after(other).after(low).lowSent()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".low", "x", "AA", "....", "not base64!", "report-events.0.12", "AQAAAAA.low.low"})
    void refusesOtherTexts(String text) {
        assertThat(FeedPosition.parse(text)).isEmpty();
    }

    @Property
    void refusesOtherTextsWithoutAnException(@ForAll String text) {
        FeedPosition.parse(text).ifPresent(position -> assertThat(FeedPosition.parse(position.text()))
                .contains(position));
    }
}
