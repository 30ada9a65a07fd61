package millrace.gateway.api.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import millrace.contracts.delivery.EndpointState;
import millrace.contracts.delivery.EndpointState.Breaker;
import millrace.contracts.delivery.EndpointState.Held;
import millrace.contracts.delivery.EndpointState.HeldReason;
import millrace.contracts.delivery.EndpointState.HeldUrl;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the API says of an endpoint whose owner has written its state. */
class EndpointResponsesTest {
    private static final Instant NOON = Instant.parse("2026-11-02T12:00:00Z");
    private static final Instant LATER = NOON.plusSeconds(600);
    private static final Instant EARLIER = NOON.minusSeconds(1);

    @Test
    void oneThatWasAskedToWaitIsParkedUntilThen() {
        EndpointResponses.Answer shown =
                shown(Breaker.CLOSED, new Held(HeldReason.RETRY_AFTER, LATER, 1, List.of(busy(LATER))), null);
        assertThat(shown.state()).isEqualTo("parked");
        assertThat(shown.heldUntil()).isEqualTo(LATER);
        assertThat(shown.heldReason()).isEqualTo(HeldReason.RETRY_AFTER);
        assertThat(shown.nextProbeAt()).isNull();
        assertThat(shown.held()).containsExactly(busy(LATER));
    }

    @Test
    void oneOfWhichOnlyAUrlWaitsIsActive() {
        EndpointResponses.Answer shown =
                shown(Breaker.CLOSED, new Held(null, null, 2, List.of(busy(LATER), busy(EARLIER))), null);
        assertThat(shown.state()).isEqualTo("active");
        assertThat(shown.heldUntil()).isNull();
        assertThat(shown.heldReason()).isNull();
        assertThat(shown.heldUrls()).as("what is past is being tried").isEqualTo(1);
        assertThat(shown.held()).containsExactly(busy(LATER));
    }

    @Test
    void aTimeThatIsPastIsNotShown() {
        EndpointResponses.Answer shown =
                shown(Breaker.OPEN, new Held(HeldReason.FAILING, EARLIER, 0, List.of()), EARLIER);
        assertThat(shown.state()).isEqualTo("parked");
        assertThat(shown.heldReason()).isEqualTo(HeldReason.FAILING);
        assertThat(shown.heldUntil()).isNull();
        assertThat(shown.nextProbeAt()).isNull();
    }

    @Test
    void aStateOfAnEarlierVersionHasTheTimeOfItsProbe() {
        EndpointResponses.Answer shown = shown(Breaker.OPEN, null, LATER);
        assertThat(shown.heldReason()).isEqualTo(HeldReason.FAILING);
        assertThat(shown.heldUntil()).isEqualTo(LATER);
        assertThat(shown.nextProbeAt()).isEqualTo(LATER);
    }

    private static HeldUrl busy(Instant until) {
        return new HeldUrl("https://r.example/busy", until, HeldReason.RETRY_AFTER);
    }

    private static EndpointResponses.Answer shown(Breaker breaker, @Nullable Held held, @Nullable Instant probe) {
        boolean open = breaker == Breaker.OPEN;
        return EndpointResponses.answer(
                new EndpointState(
                        "acme",
                        "acme|https://r.example:443",
                        breaker,
                        open ? 5 : 0,
                        open ? EARLIER : null,
                        probe,
                        3,
                        EARLIER,
                        null,
                        null,
                        0,
                        List.of(),
                        NOON,
                        held),
                NOON);
    }
}
