package millrace.notifier.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class UnsavedEventsTest {
    private static final long LATER = UnsavedEvents.SAVE_AFTER_MILLIS;
    private static final long MUCH_LATER = UnsavedEvents.MAX_WAIT_MILLIS;

    private final EndpointQueue queue =
            new EndpointQueue("acme|http://r.example:80", 0, new EndpointFlow(SampleEvents.rules(1)));
    private final UnsavedEvents unsaved = new UnsavedEvents();

    @Test
    void anAttemptThatLastsIsSavedAndWhatWaitsForItsTurnBehindItIsNot() {
        arrive(1, 0);
        arrive(2, 0);
        Objects.requireNonNull(queue.next(0));
        assertThat(overdue(LATER - 1)).isEmpty();
        assertThat(overdue(LATER)).containsExactly("1.1");
        assertThat(overdue(MUCH_LATER - 1)).isEmpty();
        assertThat(overdue(MUCH_LATER)).containsExactly("2.1");
        assertThat(unsaved.nextDue()).isEqualTo(Long.MAX_VALUE);
    }

    /** The owner may end at any time. The next one restores saved events before it reads the source. */
    @Test
    void noEventIsSavedBeforeTheOneOfItsReportThatItWaitsFor() {
        arrive(1, 0);
        Objects.requireNonNull(queue.next(0));
        arrive(2, 1, 0);
        arrive(2, 2, 0);
        arrive(2, 3, 10);
        assertThat(overdue(LATER)).containsExactly("1.1");
        assertThat(overdue(MUCH_LATER - 1)).isEmpty();
        assertThat(overdue(MUCH_LATER)).containsExactly("2.1", "2.2");
        assertThat(overdue(10 + MUCH_LATER)).containsExactly("2.3");
    }

    @Test
    void whatWaitsForAnEventThatIsSavedIsSavedAfterAMoment() {
        arrive(1, 0);
        Objects.requireNonNull(queue.next(0));
        assertThat(overdue(LATER)).containsExactly("1.1");
        arrive(1, 2, 300);
        assertThat(overdue(300 + LATER)).containsExactly("1.2");
        arrive(1, 3, 600);
        assertThat(overdue(600 + LATER)).containsExactly("1.3");
    }

    @Test
    void theOrderHoldsWhereTheBreakerOpensMeanwhile() {
        var rules = new FlowRules(
                1, 1, 1000, Duration.ofSeconds(1), 1, List.of(Duration.ofSeconds(5)), Duration.ofSeconds(4));
        var failing = new EndpointQueue("acme|http://failing.example:80", 0, new EndpointFlow(rules));
        for (HeldEvent event : List.of(SampleEvents.arrived(1, 1, 0), SampleEvents.arrived(2, 1, 0))) {
            failing.add(event);
            unsaved.add(failing, event, 0);
        }
        Objects.requireNonNull(failing.next(0));
        assertThat(overdue(LATER)).containsExactly("1.1");
        failing.flow().breaker().failed(0, false, 0, 300, 0.5);
        HeldEvent follower = SampleEvents.arrived(2, 2, 400);
        failing.add(follower);
        unsaved.add(failing, follower, 400);
        assertThat(overdue(400 + LATER)).isEmpty();
        assertThat(overdue(400 + MUCH_LATER)).containsExactly("2.1", "2.2");
    }

    @Test
    void whatHasEndedIsNeverSaved() {
        arrive(1, 0);
        queue.ended(Objects.requireNonNull(queue.next(0)));
        arrive(2, 10);
        assertThat(unsaved.nextDue()).isEqualTo(10 + LATER);
        assertThat(overdue(10 + LATER)).isEmpty();
        queue.ended(Objects.requireNonNull(queue.next(500)));
        assertThat(overdue(10 + MUCH_LATER)).isEmpty();
    }

    @Test
    void behindAnOpenBreakerNothingWaits() {
        var rules = new FlowRules(
                4, 4, 1000, Duration.ofSeconds(1), 1, List.of(Duration.ofSeconds(5)), Duration.ofSeconds(4));
        var dead = new EndpointQueue("acme|http://dead.example:80", 0, new EndpointFlow(rules));
        dead.flow().breaker().failed(0, false, 0, 0, 0.5);
        HeldEvent event = SampleEvents.arrived(1, 1, 0);
        dead.add(event);
        unsaved.add(dead, event, 0);
        assertThat(overdue(LATER)).containsExactly("1.1");
    }

    @Test
    void ofAnEndpointThatDoesNotKeepUpAllAreSaved() {
        for (int report = 0; report <= UnsavedEvents.MAX_OF_ENDPOINT; report++) {
            arrive(report, 0);
        }
        assertThat(overdue(LATER)).hasSize(UnsavedEvents.MAX_OF_ENDPOINT + 1);
    }

    @Test
    void ofAnEndpointThatFallsBehindAllAreSavedInTheirOrder() {
        arrive(1, 0);
        arrive(2, 0);
        Objects.requireNonNull(queue.next(0));
        assertThat(overdue(LATER)).containsExactly("1.1");
        arrive(3, LATER);
        arrive(2, 2, LATER);
        var other = new EndpointQueue("acme|http://other.example:80", 0, new EndpointFlow(SampleEvents.rules(1)));
        HeldEvent event = SampleEvents.arrived(4, 1, LATER);
        other.add(event);
        unsaved.add(other, event, LATER);
        List<HeldEvent> all = unsaved.of(queue);
        assertThat(all).extracting(HeldEvent::id).containsExactly("2.1", "3.1", "2.2");
        all.forEach(HeldEvent::markSaved);
        assertThat(overdue(2 * LATER)).isEmpty();
        assertThat(overdue(LATER + MUCH_LATER)).containsExactly("4.1");
    }

    @Test
    void anOffsetThatFallsFarBehindIsSaved() {
        arrive(1, 0);
        assertThat(overdue(LATER)).isEmpty();
        assertThat(overdue(LATER, UnsavedEvents.MAX_SPAN)).isEmpty();
        assertThat(overdue(LATER, UnsavedEvents.MAX_SPAN + 1)).containsExactly("1.1");
    }

    private void arrive(int report, long now) {
        arrive(report, 1, now);
    }

    private void arrive(int report, int sequence, long now) {
        HeldEvent event = SampleEvents.arrived(report, sequence, now);
        queue.add(event);
        unsaved.add(queue, event, now);
    }

    private List<String> overdue(long now) {
        return overdue(now, 100);
    }

    private List<String> overdue(long now, long next) {
        List<String> ids = new ArrayList<>();
        for (var due = unsaved.takeDue(now, next); due != null; due = unsaved.takeDue(now, next)) {
            ids.add(due.event().id());
            due.event().markSaved();
        }
        return ids;
    }
}
