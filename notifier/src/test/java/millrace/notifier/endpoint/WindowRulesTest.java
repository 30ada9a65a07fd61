package millrace.notifier.endpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WindowRulesTest {
    private static final FlowRules FLOW = new FlowRules(
            1000, 1000, 100_000, Duration.ofSeconds(1), 5, List.of(Duration.ofSeconds(5)), Duration.ofSeconds(4));

    private final EndpointQueue queue = new EndpointQueue("acme|http://r.example:80", 0, new EndpointFlow(FLOW));
    private int report;

    /** A window of 64; of an account 25,000 events, of an endpoint 2,000; 2 where there are more. */
    private final WindowRules rules = new WindowRules(64, 100_000);

    @ParameterizedTest
    @CsvSource(useHeadersInDisplayName = true, delimiter = '|', textBlock = """
            new | retried | of account | endpoints | of all | endpoints | room | wants more
            0   | 0       | 0          | 0         | 0      | 0         | 64   | true
            10  | 0       | 10         | 1         | 10     | 1         | 54   | true
            32  | 0       | 32         | 1         | 32     | 1         | 32   | true
            33  | 0       | 33         | 1         | 33     | 1         | 31   | false
            64  | 0       | 64         | 1         | 64     | 1         | 0    | false
            0   | 1990    | 1990       | 1         | 1990   | 1         | 10   | true
            0   | 2000    | 2000       | 1         | 2000   | 1         | 0    | false
            0   | 0       | 24999      | 1000      | 24999  | 1000      | 64   | true
            0   | 0       | 25000      | 1000      | 25000  | 1000      | 2    | true
            1   | 0       | 25000      | 1000      | 25000  | 1000      | 1    | true
            2   | 0       | 25000      | 1000      | 25000  | 1000      | 0    | false
            0   | 2       | 25000      | 1000      | 25000  | 1000      | 0    | false
            20  | 0       | 25000      | 1000      | 25000  | 1000      | 0    | false
            0   | 0       | 25000      | 12501     | 25000  | 12501     | 1    | true
            0   | 0       | 25000      | 99999     | 25000  | 99999     | 1    | true
            1   | 0       | 25000      | 99999     | 25000  | 99999     | 0    | false
            0   | 0       | 0          | 0         | 100000 | 50000     | 2    | true
            5   | 0       | 5          | 1         | 100000 | 50000     | 0    | false
            0   | 0       | 0          | 0         | 100000 | 50001     | 1    | true
            """)
    void anEndpointThatIsTried(
            int fresh,
            int retried,
            int ofAccount,
            int endpointsOfAccount,
            int ofAll,
            int endpointsOfAll,
            int room,
            boolean wantsMore) {
        hold(fresh, retried);
        var held = new WindowRules.Held(ofAccount, endpointsOfAccount, ofAll, endpointsOfAll);
        assertThat(rules.room(queue, held)).isEqualTo(room);
        assertThat(rules.wantsMore(queue, held)).isEqualTo(wantsMore);
    }

    /** Each probe takes one event, so its window is filled seldom, and at once. */
    @ParameterizedTest(name = "{0} new, {1} retried: room {2}, more {3}")
    @CsvSource({"1, 63, 63, false", "0, 64, 64, true", "0, 2000, 0, false"})
    void anEndpointThatIsOnlyProbed(int fresh, int retried, int room, boolean wantsMore) {
        hold(fresh, retried);
        for (int failure = 0; failure < FLOW.failuresToOpen(); failure++) {
            queue.flow().breaker().failed(0, false, 0, 1, 0.5);
        }
        var held = new WindowRules.Held(2000, 1, 2000, 1);
        assertThat(rules.room(queue, held)).isEqualTo(room);
        assertThat(rules.wantsMore(queue, held)).isEqualTo(wantsMore);
    }

    @Test
    void sharesThatAreChosen() {
        assertThat(new WindowRules(1000, 4000).ofEndpoint()).isEqualTo(1000);
        assertThat(new WindowRules(1000, 1_000_000).ofEndpoint()).isEqualTo(20_000);
        assertThatThrownBy(() -> new WindowRules(0, 1)).hasMessageContaining("must be at least 1");
    }

    private void hold(int fresh, int retried) {
        for (int i = 0; i < retried; i++) {
            queue.add(SampleEvents.arrived(report++, 1, 0));
            queue.retryAt(Objects.requireNonNull(queue.next(i)), 1_000_000);
        }
        for (int i = 0; i < fresh; i++) {
            queue.add(SampleEvents.arrived(report++, 1, 0));
        }
        assertThat(queue.unattempted()).isEqualTo(fresh);
        assertThat(queue.size()).isEqualTo(fresh + retried);
    }
}
