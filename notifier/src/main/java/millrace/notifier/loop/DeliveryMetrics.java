package millrace.notifier.loop;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import millrace.contracts.delivery.EndpointState.Breaker;
import millrace.contracts.delivery.WebhookAttempt.Outcome;
import millrace.notifier.endpoint.EndpointQueue;
import millrace.webhook.ExchangePhase;

/**
 * The metrics {@code millrace.webhook.…}. Counters and timers are updated by the loop's thread; gauges have the values
 * of the last {@link #updateGauges}.
 */
public final class DeliveryMetrics {
    private static final Duration[] BUCKETS = {
        Duration.ofMillis(10),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofSeconds(1),
        Duration.ofSeconds(5),
        Duration.ofMinutes(1),
        Duration.ofMinutes(10),
        Duration.ofHours(1),
        Duration.ofHours(12)
    };

    private final Timer delivered;
    private final Map<Outcome, Counter> attempts = new EnumMap<>(Outcome.class);
    private final Map<ExchangePhase, Timer> phases = new EnumMap<>(ExchangePhase.class);
    private volatile Snapshot snapshot = new Snapshot(0, Map.of());

    /** @param oldestSeconds age of the oldest waiting event, 0 if none waits */
    private record Group(int endpoints, long waiting, double oldestSeconds) {
        static final Group EMPTY = new Group(0, 0, 0);
    }

    private record Snapshot(int inFlight, Map<Breaker, Group> groups) {
        Group group(Breaker state) {
            return groups.getOrDefault(state, Group.EMPTY);
        }
    }

    public DeliveryMetrics(MeterRegistry registry) {
        delivered = Timer.builder("millrace.webhook.delivered")
                .description("Time from the event to the end of the attempt that delivered it")
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
        for (Outcome outcome : Outcome.values()) {
            attempts.put(
                    outcome,
                    Counter.builder("millrace.webhook.attempts")
                            .description("Attempts that ended")
                            .tag("outcome", word(outcome))
                            .register(registry));
        }
        for (ExchangePhase phase : ExchangePhase.values()) {
            phases.put(
                    phase,
                    Timer.builder("millrace.webhook.phase")
                            .description("Where the time of attempts goes")
                            .tag("phase", phase.key())
                            .register(registry));
        }
        Gauge.builder("millrace.webhook.in.flight", this, f -> f.snapshot.inFlight())
                .description("Attempts under way")
                .register(registry);
        for (Breaker state : Breaker.values()) {
            gauge(registry, state, "endpoints", "Endpoints that are known", Group::endpoints);
            gauge(registry, state, "waiting", "Events neither delivered nor given up", Group::waiting);
            gauge(
                    registry,
                    state,
                    "oldest.seconds",
                    "Time since the oldest waiting event occurred",
                    Group::oldestSeconds);
        }
    }

    private void gauge(
            MeterRegistry registry, Breaker state, String name, String words, ToDoubleFunction<Group> value) {
        Gauge.builder("millrace.webhook." + name, this, f -> value.applyAsDouble(f.snapshot.group(state)))
                .description(words)
                .tag("breaker", word(state))
                .register(registry);
    }

    void ended(LoopMessage.EndedAttempt attempt, Outcome outcome, Instant now) {
        Counter counter = attempts.get(outcome);
        if (counter != null) {
            counter.increment();
        }
        attempt.exchange().timings().phases().forEach((phase, time) -> {
            Timer timer = phases.get(phase);
            if (timer != null) {
                timer.record(time);
            }
        });
        if (outcome == Outcome.DELIVERED) {
            delivered.record(Duration.between(attempt.delivery().occurredAt(), now));
        }
    }

    /**
     * Counts the endpoints and waiting events of all owned partitions.
     *
     * @param wallNow now, by the wall clock
     */
    void updateGauges(Ownership owned, int inFlight, long now, long wallNow) {
        Map<Breaker, Group> groups = new EnumMap<>(Breaker.class);
        owned.partitions().values().forEach(partition -> partition
                .queues()
                .forEach(queue ->
                        groups.merge(queue.flow().breaker().state(now), of(queue, wallNow), DeliveryMetrics::sum)));
        snapshot = new Snapshot(inFlight, groups);
    }

    private static Group of(EndpointQueue queue, long wallNow) {
        boolean none = queue.oldest() == Long.MAX_VALUE;
        return new Group(1, queue.waiting(), none ? 0 : Math.max(0, wallNow - queue.oldest()) / 1000.0);
    }

    private static Group sum(Group one, Group other) {
        return new Group(
                one.endpoints() + other.endpoints(),
                one.waiting() + other.waiting(),
                Math.max(one.oldestSeconds(), other.oldestSeconds()));
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
