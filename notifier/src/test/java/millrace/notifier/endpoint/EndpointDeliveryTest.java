package millrace.notifier.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeSet;
import millrace.notifier.endpoint.RetrySchedule.Decision;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/**
 * Property test of one endpoint. In any order of arrivals, results and time steps, each event is delivered or given up
 * exactly once, and the order of events and the caps hold at every step.
 */
class EndpointDeliveryTest {
    private static final RetrySchedule SCHEDULE =
            new RetrySchedule(List.of(Duration.ofMillis(50), Duration.ofMillis(300)), 0.2);
    private static final int[] STATUSES = {200, 204, 500, 429, 503, 302, 410, 0};

    @Property(tries = 500)
    void eachEventEndsExactlyOnce(
            @ForAll long seed,
            @ForAll @IntRange(min = 1, max = 8) int reports,
            @ForAll @IntRange(min = 1, max = 5) int eventsEach,
            @ForAll @IntRange(min = 1, max = 4) int cap) {
        var run = new Run(new Random(seed), cap);
        run.arrivals(reports, eventsEach);
        int steps = 0;
        while (!run.finished()) {
            run.step();
            assertThat(++steps).as("it comes to an end").isLessThan(100_000);
        }
        assertThat(run.ended).hasSize(reports * eventsEach);
        assertThat(run.ended.values()).containsOnly(1);
        assertThat(run.queue.size()).isZero();
    }

    private static final class Run {
        private final Random random;
        private final int cap;
        private final EndpointQueue queue;
        private final EndpointTurns turns = new EndpointTurns();
        private final List<HeldEvent> toArrive = new ArrayList<>();
        private final List<HeldEvent> inFlight = new ArrayList<>();
        private final Map<String, Integer> ended = new HashMap<>();
        private final Map<String, Integer> firstAttempted = new HashMap<>();
        private long now;

        Run(Random random, int cap) {
            this.random = random;
            this.cap = cap;
            this.queue = new EndpointQueue("acme|http://r.example:80", 0, new EndpointFlow(SampleEvents.rules(cap)));
        }

        void arrivals(int reports, int eventsEach) {
            int[] sequences = new int[reports];
            List<Integer> slots = new ArrayList<>();
            for (int i = 0; i < reports * eventsEach; i++) {
                slots.add(i % reports);
            }
            java.util.Collections.shuffle(slots, random);
            for (int report : slots) {
                String url = "http://r.example/" + random.nextInt(3);
                toArrive.add(
                        HeldEvent.arrived(SampleEvents.deliver(report, ++sequences[report], url), toArrive.size(), 0));
            }
        }

        boolean finished() {
            return toArrive.isEmpty() && inFlight.isEmpty() && queue.size() == 0;
        }

        void step() {
            switch (random.nextInt(4)) {
                case 0 -> arrive();
                case 1 -> start();
                case 2 -> end();
                default -> now += random.nextInt(80);
            }
        }

        private void arrive() {
            if (!toArrive.isEmpty()) {
                assertThat(queue.add(toArrive.removeFirst())).isTrue();
                turns.schedule(queue, now);
            }
        }

        private void start() {
            EndpointQueue turn = turns.next(now, true);
            if (turn == null) {
                assertThat(queue.nextDue()).as("nobody who is due is forgotten").isGreaterThan(now);
                return;
            }
            HeldEvent event = turn.next(now);
            if (event != null) {
                assertThat(event.due()).isLessThanOrEqualTo(now);
                checkOrder(event);
                inFlight.add(event);
                assertThat(inFlight.size()).isLessThanOrEqualTo(cap);
                if (queue.whyGone(url(event)) != null) {
                    inFlight.remove(event);
                    finish(event);
                }
            }
            turns.schedule(turn, now);
        }

        private static String url(HeldEvent event) {
            return Objects.requireNonNull(event.delivery()).url();
        }

        private void checkOrder(HeldEvent event) {
            if (event.attempts() > 0) {
                return;
            }
            String report = event.report().toString();
            int sequence = event.sequence();
            assertThat(firstAttempted.getOrDefault(report, 0)).isEqualTo(sequence - 1);
            firstAttempted.put(report, sequence);
            assertThat(inFlight)
                    .as("the first attempt of the event before it has ended")
                    .noneMatch(e -> e.attempts() == 0 && e.report().equals(event.report()));
        }

        private void end() {
            if (inFlight.isEmpty()) {
                return;
            }
            HeldEvent event = inFlight.remove(random.nextInt(inFlight.size()));
            int status = STATUSES[random.nextInt(STATUSES.length)];
            AttemptResult outcome = status == 0
                    ? new AttemptResult.NoAnswer()
                    : new AttemptResult.Answered(status, Instant.ofEpochMilli(now + random.nextInt(500)));
            queue.attempted(event, url(event), outcome, now, now, 0.5);
            Decision next =
                    SCHEDULE.decide(outcome, event.attempts() + 1, Instant.ofEpochMilli(now), random.nextDouble());
            switch (next) {
                case Decision.Delivered _, Decision.GivenUp _ -> finish(event);
                case Decision.RetryAt(Instant at) -> queue.retryAt(event, at.toEpochMilli());
                case Decision.Gone _ -> {
                    queue.markGone(url(event), now);
                    finish(event);
                }
            }
            turns.schedule(queue, now);
        }

        private void finish(HeldEvent event) {
            queue.ended(event);
            ended.merge(event.id(), 1, Integer::sum);
        }

        @Override
        public String toString() {
            return "at " + now + ", ended " + new TreeSet<>(ended.keySet()) + ", statuses " + Arrays.toString(STATUSES);
        }
    }
}
