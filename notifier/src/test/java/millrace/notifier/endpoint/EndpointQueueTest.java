package millrace.notifier.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class EndpointQueueTest {
    private final EndpointQueue queue =
            new EndpointQueue("acme|http://r.example:80", 0, new EndpointFlow(SampleEvents.rules(4)));

    @Test
    void whatCameFirstGoesFirstUpToTheCap() {
        for (int report = 1; report <= 6; report++) {
            queue.add(SampleEvents.arrived(report, 1, 10));
        }
        assertThat(started(10)).containsExactly("1.1", "2.1", "3.1", "4.1");
        assertThat(queue.nextDue()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void anEndedAttemptMakesRoom() {
        for (int report = 1; report <= 5; report++) {
            queue.add(SampleEvents.arrived(report, 1, 10));
        }
        HeldEvent first = Objects.requireNonNull(queue.next(10));
        assertThat(started(10)).containsExactly("2.1", "3.1", "4.1");
        queue.ended(first);
        assertThat(started(10)).containsExactly("5.1");
        assertThat(queue.size()).isEqualTo(4);
    }

    @Test
    void theNextEventOfAReportWaitsForTheFirstAttemptOnly() {
        queue.add(SampleEvents.arrived(1, 1, 10));
        queue.add(SampleEvents.arrived(1, 2, 11));
        queue.add(SampleEvents.arrived(1, 3, 12));
        queue.add(SampleEvents.arrived(2, 1, 13));
        HeldEvent first = Objects.requireNonNull(queue.next(20));
        assertThat(started(20)).containsExactly("2.1");
        queue.retryAt(first, 1000);
        HeldEvent second = Objects.requireNonNull(queue.next(20));
        assertThat(second.id()).isEqualTo("1.2");
        assertThat(started(20)).isEmpty();
        queue.ended(second);
        assertThat(started(20)).containsExactly("1.3");
        assertThat(queue.nextDue()).isEqualTo(1000);
    }

    @Test
    void aRetryIsStartedWhenItIsDue() {
        queue.add(SampleEvents.arrived(1, 1, 10));
        HeldEvent event = Objects.requireNonNull(queue.next(10));
        queue.retryAt(event, 500);
        assertThat(queue.next(499)).isNull();
        assertThat(queue.next(500)).isSameAs(event);
        assertThat(event.attempts()).isEqualTo(1);
    }

    @Test
    void anEventThatIsHeldIsNotTakenTwice() {
        assertThat(queue.add(SampleEvents.arrived(1, 1, 10))).isTrue();
        assertThat(queue.add(SampleEvents.arrived(1, 1, 11))).isFalse();
        assertThat(queue.size()).isEqualTo(1);
    }

    @Test
    void anEventThatIsResentWhileItWaitsIsDueAtOnce() {
        queue.add(SampleEvents.retried(1, 9000));
        queue.makeDue(SampleEvents.retried(1, 0), 20);
        assertThat(started(20)).containsExactly("1.1");
    }

    @Test
    void whatIsTooOldIsTakenOutToBeGivenUpWhereTheEndpointFails() {
        var rules = new FlowRules(
                4, 4, 1000, Duration.ofSeconds(1), 1, List.of(Duration.ofSeconds(5)), Duration.ofSeconds(4));
        var failing = new EndpointQueue("acme|http://r.example:80", 0, new EndpointFlow(rules));
        for (int sequence = 1; sequence <= 3; sequence++) {
            failing.add(HeldEvent.arrived(SampleEvents.occurred(1, sequence, sequence * 100L), sequence, 500));
        }
        assertThat(failing.oldest()).isEqualTo(100);
        assertThat(failing.takeExpired(250, 10)).as("it is tried first").isEmpty();
        failing.flow().breaker().failed(7, false, 0, 500, 0.5);
        assertThat(failing.takeExpired(100, 10)).isEmpty();
        List<HeldEvent> expired = failing.takeExpired(250, 10);
        assertThat(expired).extracting(HeldEvent::sequence).containsExactly(1);
        expired.forEach(failing::ended);
        assertThat(failing.takeExpired(250, 10)).extracting(HeldEvent::sequence).containsExactly(2);
    }

    @Test
    void whatIsBehindWaitsAndIsNotHeld() {
        queue.add(SampleEvents.arrived(1, 1, 10));
        EndpointBacklog backlog = queue.fallBehind(40, 300);
        backlog.passOver(40);
        backlog.passOver(41);
        assertThat(queue.size()).isEqualTo(1);
        assertThat(queue.waiting()).isEqualTo(3);
        assertThat(queue.unattempted()).isEqualTo(1);
        queue.ended(Objects.requireNonNull(queue.next(10)));
        assertThat(queue.unattempted()).isZero();
        assertThat(queue.oldest()).isEqualTo(300);
        assertThat(queue.idle()).isFalse();
        queue.caughtUp();
        assertThat(queue.waiting()).isZero();
        assertThat(queue.idle()).isTrue();
    }

    @Test
    void remembersWhatIsGone() {
        queue.markGone("u", 5);
        assertThat(queue.whyGone("u")).isNotNull();
        assertThat(queue.whyGone("v")).isNull();
        assertThat(queue.reinstate("u")).isTrue();
        assertThat(queue.reinstate("u")).isFalse();
        assertThat(queue.whyGone("u")).isNull();
    }

    private List<String> started(long now) {
        List<String> ids = new ArrayList<>();
        for (HeldEvent event = queue.next(now); event != null; event = queue.next(now)) {
            ids.add(event.id());
        }
        return ids;
    }
}
