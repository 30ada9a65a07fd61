package millrace.notifier.endpoint;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import millrace.notifier.endpoint.RetrySchedule.Decision;
import org.jspecify.annotations.Nullable;

/**
 * The decisions of a notifier, driven by a virtual clock that jumps to the next event. Its resolution is a millisecond.
 */
final class VirtualTimeNotifier {
    private static final RetrySchedule RETRIES = new RetrySchedule(
            List.of(
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(30),
                    Duration.ofMinutes(2),
                    Duration.ofMinutes(10),
                    Duration.ofMinutes(30),
                    Duration.ofHours(2)),
            0.2);

    /**
     * @param quickest milliseconds of an attempt
     * @param slowest milliseconds of an attempt
     * @param status of its answers, or 0 where it never answers
     */
    record Receiver(int quickest, int slowest, int status) {}

    private record Happening(long at, long number, Runnable what) {}

    private record Delivered(int endpoint, long occurredAt, long millis) {}

    private final Random random;
    private final int inFlightCap;
    private final int slowPercent;
    private final EndpointTurns turns = new EndpointTurns();
    private final List<EndpointQueue> queues = new ArrayList<>();
    private final PriorityQueue<Happening> agenda =
            new PriorityQueue<>(Comparator.comparingLong(Happening::at).thenComparingLong(Happening::number));
    private final List<Delivered> delivered = new ArrayList<>();
    private final Map<String, Integer> deliveries = new HashMap<>();
    private final Map<UUID, Integer> firstAttempts = new HashMap<>();
    private final int[] attempts;
    private final int[] arrived;
    private IntFunction<Receiver> receivers;
    private long now;
    private long number;
    private int inFlight;
    private int slowInFlight;
    private int outOfOrder;
    private long measuredFrom;

    VirtualTimeNotifier(
            long seed,
            int inFlightCap,
            int slowPercent,
            FlowRules rules,
            int endpoints,
            IntFunction<Receiver> receivers) {
        this.random = new Random(seed);
        this.inFlightCap = inFlightCap;
        this.slowPercent = slowPercent;
        this.receivers = receivers;
        this.attempts = new int[endpoints];
        this.arrived = new int[endpoints];
        for (int i = 0; i < endpoints; i++) {
            queues.add(new EndpointQueue("acme|http://" + i, 0, new EndpointFlow(rules)));
        }
    }

    void receivers(IntFunction<Receiver> others) {
        receivers = others;
    }

    /** Lets reports of three events each arrive, from now on. */
    void arrivals(Duration time, int perSecond) {
        int total = Math.toIntExact(time.toSeconds() * perSecond);
        for (int report = 0; report * 3 < total; report++) {
            int endpoint = random.nextInt(queues.size());
            var id = new UUID(random.nextLong(), random.nextLong());
            for (int sequence = 1; sequence <= 3; sequence++) {
                int which = sequence;
                happens(now + 3000L * report / perSecond + sequence, () -> arrive(endpoint, id, which));
            }
        }
    }

    void runFor(Duration time) {
        long end = now + time.toMillis();
        while (true) {
            Happening next = agenda.peek();
            long at = Math.min(next == null ? Long.MAX_VALUE : next.at(), nextStart());
            if (at > end) {
                now = end;
                return;
            }
            now = Math.max(now, at);
            while (next != null && next.at() <= now) {
                agenda.remove();
                next.what().run();
                next = agenda.peek();
            }
            start();
        }
    }

    private long nextStart() {
        return inFlight < inFlightCap ? turns.nextDue(slowLaneOpen()) : Long.MAX_VALUE;
    }

    private boolean slowLaneOpen() {
        return slowInFlight < Math.max(1, inFlightCap * slowPercent / 100);
    }

    private void happens(long at, Runnable what) {
        agenda.add(new Happening(at, number++, what));
    }

    private void arrive(int endpoint, UUID report, int sequence) {
        EndpointQueue queue = queues.get(endpoint);
        String id = report + "." + sequence;
        var delivery =
                new Deliver(id, "acme", "http://" + endpoint, report, sequence, Instant.ofEpochMilli(now), "", "");
        arrived[endpoint]++;
        queue.add(HeldEvent.arrived(delivery, number, now));
        turns.schedule(queue, now);
    }

    private void start() {
        while (inFlight < inFlightCap) {
            EndpointQueue queue = turns.next(now, slowLaneOpen());
            if (queue == null) {
                return;
            }
            HeldEvent event = queue.next(now);
            if (event != null) {
                attempt(queue, event);
            }
            turns.schedule(queue, now);
        }
    }

    private void attempt(EndpointQueue queue, HeldEvent event) {
        int endpoint = queues.indexOf(queue);
        Receiver receiver = receivers.apply(endpoint);
        boolean slow = queue.flow().slow();
        attempts[endpoint]++;
        inFlight++;
        slowInFlight += slow ? 1 : 0;
        if (event.attempts() == 0) {
            Integer before = firstAttempts.put(event.report(), event.sequence());
            outOfOrder += (before == null ? 0 : before) == event.sequence() - 1 ? 0 : 1;
        }
        long startedAt = now;
        int took = receiver.quickest() + random.nextInt(Math.max(1, receiver.slowest() - receiver.quickest()));
        AttemptResult outcome = receiver.status() == 0
                ? new AttemptResult.NoAnswer()
                : new AttemptResult.Answered(receiver.status(), null);
        happens(now + took, () -> {
            inFlight--;
            slowInFlight -= slow ? 1 : 0;
            end(queue, endpoint, event, outcome, startedAt);
        });
    }

    private void end(EndpointQueue queue, int endpoint, HeldEvent event, AttemptResult outcome, long startedAt) {
        queue.attempted(event, "http://" + endpoint, outcome, startedAt, now, random.nextDouble());
        switch (RETRIES.decide(outcome, event.attempts() + 1, Instant.ofEpochMilli(now), random.nextDouble())) {
            case Decision.RetryAt(Instant at) -> queue.retryAt(event, at.toEpochMilli());
            case Decision.Delivered _ -> {
                delivered.add(new Delivered(endpoint, event.occurredAt(), now - event.occurredAt()));
                deliveries.merge(event.id(), 1, Integer::sum);
                queue.ended(event);
            }
            case Decision.GivenUp _, Decision.Gone _ -> queue.ended(event);
        }
        turns.schedule(queue, now);
    }

    /** Starts the measurement, after endpoints have shown how they behave. */
    void measureFromNow() {
        measuredFrom = now;
    }

    /** Milliseconds from an event to its delivery. */
    double latency(double quantile, IntPredicate endpoints) {
        long[] sorted = delivered.stream()
                .filter(d -> endpoints.test(d.endpoint()) && d.occurredAt() >= measuredFrom)
                .mapToLong(Delivered::millis)
                .sorted()
                .toArray();
        return sorted[Math.clamp((int) Math.ceil(quantile * sorted.length) - 1, 0, sorted.length - 1)];
    }

    int attemptsOf(IntPredicate endpoints) {
        return sum(attempts, endpoints);
    }

    long undelivered(IntPredicate endpoints) {
        return sum(arrived, endpoints)
                - delivered.stream().filter(d -> endpoints.test(d.endpoint())).count();
    }

    long deliveredTwice() {
        return deliveries.values().stream().filter(n -> n > 1).count();
    }

    int firstAttemptsOutOfOrder() {
        return outOfOrder;
    }

    List<@Nullable Object> metrics() {
        return List.of(delivered.size(), attemptsOf(e -> true), delivered.hashCode());
    }

    private static int sum(int[] values, IntPredicate endpoints) {
        int sum = 0;
        for (int i = 0; i < values.length; i++) {
            sum += endpoints.test(i) ? values[i] : 0;
        }
        return sum;
    }
}
