package millrace.notifier.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import millrace.contracts.delivery.EndpointState;
import millrace.contracts.delivery.EndpointState.HeldReason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An endpoint of which single URLs, or all, are held. Times are milliseconds. */
class HeldUrlsTest {
    private static final AttemptResult OK = new AttemptResult.Answered(200, null);
    private static final AttemptResult ERROR = new AttemptResult.Answered(500, null);
    private static final AttemptResult REFUSED = new AttemptResult.NoAnswer();
    private static final long DAY = Duration.ofDays(1).toMillis();
    private static final String BUSY = "http://r.example/busy?token=1";
    private static final String FINE = "http://r.example/fine";
    /** A random number that makes pauses neither shorter nor longer. */
    private static final double EXACT = 0.5;

    private static final FlowRules RULES = new FlowRules(
            100,
            100,
            100_000,
            Duration.ofSeconds(1),
            5,
            List.of(Duration.ofSeconds(5), Duration.ofSeconds(15), Duration.ofMinutes(5)),
            Duration.ofSeconds(4));

    private final EndpointQueue queue = queue();
    private int reports;

    @ParameterizedTest
    @ValueSource(ints = {429, 503})
    void whatAUrlAsksForHoldsThatUrlOnly(int status) {
        var wait = new AttemptResult.Answered(status, Instant.ofEpochMilli(DAY));
        for (int i = 0; i < 10; i++) {
            arrives(BUSY, 10);
        }
        arrives("http://r.example/busy?token=2", 10);
        attempt(queue, 10, wait, DAY + 10);
        HeldEvent fine = arrives(FINE, 11);
        assertThat(next(12)).isSameAs(fine);
        assertThat(queue.next(12)).as("whatever their query").isNull();
        assertThat(queue.held(12)).isNotNull().satisfies(held -> {
            assertThat(held.urls()).isEqualTo(1);
            assertThat(held.newest())
                    .containsExactly(new EndpointState.HeldUrl(
                            "http://r.example/busy", Instant.ofEpochMilli(DAY), HeldReason.RETRY_AFTER));
            assertThat(held.reason()).isEqualTo(HeldReason.RETRY_AFTER);
            assertThat(held.until()).isEqualTo(Instant.ofEpochMilli(DAY));
        });
    }

    @Test
    void afterThatOneEventTriesItAndTheOthersFollowASuccess() {
        for (int i = 0; i < 5; i++) {
            arrives(BUSY, 10);
        }
        attempt(queue, 10, new AttemptResult.Answered(429, Instant.ofEpochMilli(1000)), 5000);
        assertThat(queue.next(999)).isNull();
        assertThat(queue.nextDue()).isEqualTo(1000);
        HeldEvent tries = next(1000);
        assertThat(queue.next(1000)).isNull();
        ends(tries, BUSY, new AttemptResult.Answered(429, Instant.ofEpochMilli(3000)), 1000, 1010, 9000);
        assertThat(queue.nextDue()).isEqualTo(3000);
        ends(next(3000), BUSY, OK, 3000, 3010, 0);
        assertThat(queue.held(3010)).isNull();
        assertThat(started(3010))
                .as("the event that failed waits for its retry")
                .hasSize(2);
    }

    /** An answer to what was under way before says nothing about what follows. */
    @Test
    void anEarlierSuccessDoesNotRelease() {
        arrives(BUSY, 10);
        arrives(BUSY, 10);
        HeldEvent first = next(10);
        HeldEvent second = next(10);
        ends(first, BUSY, new AttemptResult.Answered(429, Instant.ofEpochMilli(1000)), 10, 20, 2000);
        ends(second, BUSY, OK, 10, 30, 0);
        arrives(BUSY, 40);
        assertThat(queue.next(40)).isNull();
    }

    @Test
    void nothingIsGivenUpThatWasNeverTried() {
        HeldEvent answered = arrives(BUSY, 10);
        attempt(queue, 10, new AttemptResult.Answered(429, Instant.ofEpochMilli(DAY)), DAY);
        List<HeldEvent> untried = List.of(arrives(BUSY, 20), arrives(BUSY, 21));
        assertThat(queue.next(30)).isNull();
        List<HeldEvent> expired = queue.takeExpired(1000, 10);
        assertThat(expired).containsExactly(answered);
        expired.forEach(queue::ended);
        List<HeldEvent> tried = started(5000);
        assertThat(tried).as("although their URL is held").containsExactlyElementsOf(untried);
        tried.forEach(event -> ends(event, BUSY, ERROR, 5000, 5010, 60_000));
        assertThat(queue.takeExpired(1000, 10)).containsExactlyInAnyOrderElementsOf(untried);
    }

    @Test
    void whatWaitsForAnEndpointThatFailsAsAWholeIsGivenUpInTheEnd() {
        refused(5, 20);
        HeldEvent event = arrives(FINE, 30);
        assertThat(queue.takeExpired(1000, 10)).contains(event);
    }

    @Test
    void failuresOfOneUrlHoldThatOne() {
        for (int i = 0; i < 20; i++) {
            arrives(BUSY, 10);
        }
        for (int i = 0; i < 5; i++) {
            attempt(queue, 100, ERROR, 9_000_000);
        }
        assertThat(queue.next(101)).isNull();
        assertThat(queue.held(101)).isNotNull().satisfies(held -> {
            assertThat(held.reason()).isEqualTo(HeldReason.FAILING);
            assertThat(held.until()).isEqualTo(Instant.ofEpochMilli(5100));
        });
        HeldEvent fine = arrives(FINE, 101);
        assertThat(next(101)).isSameAs(fine);
        ends(fine, FINE, OK, 101, 110, 0);
        assertThat(queue.flow().breaker().state(110)).isEqualTo(EndpointState.Breaker.CLOSED);
        assertThat(queue.nextDue()).isEqualTo(5100);
        ends(next(5100), BUSY, ERROR, 5100, 5110, 9_000_000);
        assertThat(queue.nextDue()).isEqualTo(5110 + 15_000);
    }

    @Test
    void failuresOverSeveralUrlsHoldAll() {
        for (int i = 0; i < 4; i++) {
            arrives(BUSY, 10);
            attempt(queue, 100, ERROR, 9_000_000);
        }
        arrives(FINE, 100);
        attempt(queue, 100, ERROR, 9_000_000);
        arrives("http://r.example/third", 101);
        assertThat(queue.next(101)).isNull();
        assertThat(queue.held(101)).isNotNull().satisfies(held -> {
            assertThat(held.reason()).isEqualTo(HeldReason.FAILING);
            assertThat(held.until()).isEqualTo(Instant.ofEpochMilli(5100));
            assertThat(held.urls()).isZero();
        });
    }

    @Test
    void whereNothingWaitsTheNextEventIsTheProbe() {
        refused(5, 20);
        queue.takeExpired(Long.MAX_VALUE, 10).forEach(queue::ended);
        assertThat(queue.held(100_000)).isNotNull().satisfies(held -> {
            assertThat(held.reason()).isEqualTo(HeldReason.FAILING);
            assertThat(held.until()).isNull();
        });
    }

    @Test
    void probesOfAnEndpointThatIsDownTakeTurnsBetweenUrls() {
        refused(5, 20);
        for (int i = 0; i < 100; i++) {
            arrives(BUSY, 30);
        }
        arrives(FINE, 31);
        HeldEvent first = next(10_000);
        ends(first, BUSY, REFUSED, 10_000, 10_010, 9_000_000);
        HeldEvent second = next(10_010 + 15_000);
        assertThat(second.urlPath()).isEqualTo(UrlPath.hash(FINE));
        ends(second, FINE, OK, 25_010, 25_020, 0);
        assertThat(queue.next(25_100)).as("those of the other URL follow").isNotNull();
    }

    @Test
    void enablingTriesAllOfThem() {
        HeldEvent busy = arrives(BUSY, 10);
        attempt(queue, 10, new AttemptResult.Answered(429, Instant.ofEpochMilli(DAY)), DAY);
        HeldEvent other = arrives(BUSY, 20);
        HeldEvent third = arrives("http://r.example/third", 20);
        ends(Objects.requireNonNull(queue.next(20)), "http://r.example/third", ERROR, 20, 21, 7_200_000);
        assertThat(queue.next(30)).isNull();
        queue.enable(40);
        assertThat(started(40)).containsExactlyInAnyOrder(busy, other, third);
        assertThat(queue.held(40)).isNull();
    }

    @Test
    void whereManyUrlsAskToWaitTheEndpointDoes() {
        for (int i = 0; i <= HeldUrls.MOST; i++) {
            arrives("http://r.example/" + i, 10);
            attempt(queue, 10 + i, new AttemptResult.Answered(429, Instant.ofEpochMilli(DAY + i)), 2 * DAY);
        }
        arrives(FINE, 500);
        assertThat(queue.next(500)).isNull();
        assertThat(queue.nextDue()).isEqualTo(DAY);
        assertThat(queue.held(500)).isNotNull().satisfies(held -> {
            assertThat(held.reason()).isEqualTo(HeldReason.RETRY_AFTER);
            assertThat(held.urls()).isEqualTo(HeldUrls.MOST);
            assertThat(held.newest()).hasSize(EndpointState.MAX_URLS);
        });
        assertThat(next(DAY)).isNotNull();
    }

    @Test
    void whatIsSetAsideTakesNoRoomOfOthers() {
        for (int i = 0; i < 10; i++) {
            arrives(BUSY, 10);
        }
        assertThat(queue.unattempted()).isEqualTo(10);
        attempt(queue, 10, new AttemptResult.Answered(429, Instant.ofEpochMilli(DAY)), DAY);
        assertThat(queue.next(20)).isNull();
        assertThat(queue.unattempted()).isZero();
        queue.enable(30);
        assertThat(queue.unattempted()).isEqualTo(9);
    }

    @Test
    void aNewOwnerHoldsWhatTheFormerOneHeld() {
        for (int i = 0; i < 5; i++) {
            arrives(BUSY, 10);
            attempt(queue, 100, ERROR, 9_000_000);
        }
        EndpointState state = new EndpointState(
                "acme",
                queue.key(),
                EndpointState.Breaker.OPEN,
                5,
                Instant.ofEpochMilli(100),
                Instant.ofEpochMilli(queue.flow().breaker().nextProbe()),
                0,
                null,
                null,
                null,
                0,
                List.of(),
                Instant.ofEpochMilli(200),
                queue.held(200));
        EndpointQueue owned = queue();
        owned.restore(state);
        assertThat(owned.flow().breaker().open()).isTrue();
        assertThat(owned.flow().breaker().holdsAll()).isFalse();
        owned.add(event(BUSY, 300));
        assertThat(owned.next(300)).isNull();
        assertThat(owned.nextDue()).isEqualTo(5100);
        HeldEvent fine = event(FINE, 300);
        owned.add(fine);
        assertThat(owned.next(300)).isSameAs(fine);
    }

    private static EndpointQueue queue() {
        return new EndpointQueue("acme|http://r.example:80", 0, new EndpointFlow(RULES));
    }

    private HeldEvent arrives(String url, long now) {
        HeldEvent event = event(url, now);
        queue.add(event);
        return event;
    }

    private HeldEvent event(String url, long now) {
        return HeldEvent.arrived(SampleEvents.deliver(++reports, 1, url), now, now);
    }

    private HeldEvent next(long now) {
        return Objects.requireNonNull(queue.next(now));
    }

    private List<HeldEvent> started(long now) {
        List<HeldEvent> started = new ArrayList<>();
        for (HeldEvent event = queue.next(now); event != null; event = queue.next(now)) {
            started.add(event);
        }
        return started;
    }

    /** The next event is attempted, fails, and is due again at {@code due}. */
    private void attempt(EndpointQueue of, long now, AttemptResult result, long due) {
        HeldEvent event = Objects.requireNonNull(of.next(now));
        ends(event, Objects.requireNonNull(event.delivery()).url(), result, now, now, due);
    }

    private void refused(int times, long now) {
        for (int i = 0; i < times; i++) {
            arrives("http://r.example/down", now);
            attempt(queue, now, REFUSED, 9_000_000);
        }
    }

    private void ends(HeldEvent event, String url, AttemptResult result, long startedAt, long now, long due) {
        queue.attempted(event, url, result, startedAt, now, EXACT);
        if (result.sign() == AttemptResult.Sign.GOOD) {
            queue.ended(event);
        } else {
            queue.retryAt(event, due);
        }
    }
}
