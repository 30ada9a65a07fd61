package millrace.gateway.copy.deliveries;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import millrace.contracts.delivery.EndpointState;
import millrace.contracts.delivery.EndpointState.Breaker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EndpointStatesTest {
    private static final Instant NOON = Instant.parse("2026-11-02T12:00:00Z");

    private final EndpointStates states = new EndpointStates();

    @ParameterizedTest
    @CsvSource({
        "CLOSED,    0, 0, 0, 3600, true",
        "CLOSED,    0, 0, 0, 3601, false",
        "CLOSED,    1, 0, 0, 3601, true",
        "CLOSED,    0, 1, 0, 3601, true",
        "CLOSED,    0, 0, 1, 3601, true",
        "OPEN,      0, 0, 0, 3601, true",
        "HALF_OPEN, 0, 0, 0, 3601, true",
    })
    void forgetsWhatWorksAndIsIdle(
            Breaker breaker, int failures, int waiting, int stopped, int secondsLater, boolean kept) {
        EndpointState state = state("acme", "one", breaker, failures, waiting, stopped, NOON);
        states.put(state, NOON);
        assertThat(states.of("acme")).containsOnlyKeys("acme|one");
        states.forgetIdle(NOON.plusSeconds(secondsLater));
        assertThat(states.of("acme").containsKey("acme|one")).isEqualTo(kept);
        // As at a start, which reads what was written long ago.
        var later = new EndpointStates();
        later.put(state, NOON.plusSeconds(secondsLater));
        assertThat(later.of("acme").containsKey("acme|one")).isEqualTo(kept);
    }

    @Test
    void theNewestStateCounts() {
        states.put(state("acme", "one", Breaker.OPEN, 3, 1, 0, NOON), NOON);
        states.put(works("acme", "one", NOON), NOON);
        assertThat(states.of("acme").values())
                .extracting(EndpointState::breaker)
                .containsExactly(Breaker.CLOSED);
        states.put(state("acme", "one", Breaker.OPEN, 3, 1, 0, NOON), NOON);
        states.put(works("acme", "one", NOON), NOON.plusSeconds(3601));
        assertThat(states.of("acme")).as("the older one is not true any more").isEmpty();
        states.put(works("acme", "one", NOON), NOON);
        states.remove("acme|one");
        states.remove("nobody|one");
        assertThat(states.of("acme")).isEmpty();
    }

    @Test
    void keepsABoundedNumberOfAnAccount() {
        int most = EndpointStates.MOST_OF_ACCOUNT;
        states.put(state("acme", "dead", Breaker.OPEN, 3, 7, 0, NOON.minusSeconds(99_999)), NOON);
        states.put(works("quiet", "one", NOON), NOON);
        for (int i = 0; i < most; i++) {
            states.put(works("acme", "host-" + i, NOON.plusSeconds(i)), NOON);
        }
        assertThat(states.of("acme"))
                .hasSize(most + 1 - most / 10)
                .containsKeys("acme|dead", "acme|host-" + (most - 1), "acme|host-" + most / 10)
                .doesNotContainKeys("acme|host-0", "acme|host-" + (most / 10 - 1));
        for (int i = 0; i < 5 * most; i++) {
            states.put(state("acme", "dead-" + i, Breaker.OPEN, 3, 7, 0, NOON.plusSeconds(i)), NOON);
            if (i % 97 == 0) {
                assertThat(states.of("acme").size()).isLessThanOrEqualTo(most);
            }
        }
        assertThat(states.of("acme")).containsKey("acme|dead-" + (5 * most - 1)).doesNotContainKey("acme|dead");
        assertThat(states.of("quiet")).hasSize(1);
    }

    private static EndpointState works(String account, String host, Instant updatedAt) {
        return state(account, host, Breaker.CLOSED, 0, 0, 0, updatedAt);
    }

    private static EndpointState state(
            String account, String host, Breaker breaker, int failures, int waiting, int stopped, Instant updatedAt) {
        return new EndpointState(
                account,
                account + "|" + host,
                breaker,
                failures,
                null,
                null,
                waiting,
                null,
                null,
                null,
                stopped,
                List.of(),
                updatedAt,
                null);
    }
}
