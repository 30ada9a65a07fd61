package millrace.simulation.invariants;

import java.time.Duration;
import java.util.List;
import millrace.simulation.plan.PlannedAction;
import millrace.simulation.plan.SimulationPlan;

/** The times of the plan's faults that may delay deliveries. */
public final class DisturbanceTimes {
    /** Time until a session has expired, a transaction was aborted, and partitions were reassigned and restored. */
    private static final Duration RECOVERY = Duration.ofSeconds(40);

    private final List<Span> spans;

    private record Span(long from, long to, int endpoint) {
        Span later(long nanos) {
            return new Span(from + nanos, to == Long.MAX_VALUE ? to : to + nanos, endpoint);
        }
    }

    private static final int ALL = -1;

    private DisturbanceTimes(List<Span> spans) {
        this.spans = spans;
    }

    /** @param began start of the plan, in simulated nanoseconds */
    public static DisturbanceTimes of(SimulationPlan plan, long began) {
        return new DisturbanceTimes(plan.actions().stream()
                .flatMap(action -> span(action).stream())
                .map(span -> span.later(began))
                .toList());
    }

    /**
     * Whether a fault may delay deliveries to the endpoint within a time.
     *
     * @param from simulated nanoseconds, like {@code to}
     */
    boolean touches(int endpoint, long from, long to) {
        return spans.stream()
                .anyMatch(span ->
                        (span.endpoint == ALL || span.endpoint == endpoint) && span.from <= to && span.to >= from);
    }

    private static List<Span> span(PlannedAction action) {
        return switch (action) {
            case PlannedAction.Kill a -> List.of(span(a.at(), a.downFor()));
            case PlannedAction.Pause a -> List.of(span(a.at(), a.time()));
            case PlannedAction.Restart a -> List.of(span(a.at(), a.downFor()));
            case PlannedAction.BrokerUnavailable a -> List.of(span(a.at(), a.time()));
            case PlannedAction.LostAcknowledgements a -> List.of(span(a.at(), a.time()));
            case PlannedAction.SlowNetwork a -> List.of(span(a.at(), a.time()));
            // After a fault a receiver is only probed at first, for a time that depends on the length of the fault.
            case PlannedAction.Receiver a -> List.of(new Span(a.at().toNanos(), Long.MAX_VALUE, a.endpoint()));
            // Deadly reports kill processors, not notifiers.
            // Nobody's deliveries wait for a wall clock.
            case PlannedAction.Request _,
                    PlannedAction.Grant _,
                    PlannedAction.Retry _,
                    PlannedAction.Cancel _,
                    PlannedAction.Erase _,
                    PlannedAction.SetClock _ -> List.of();
        };
    }

    private static Span span(Duration at, Duration time) {
        return new Span(at.toNanos(), at.plus(time).plus(RECOVERY).toNanos(), ALL);
    }
}
