package millrace.simulation.invariants;

import java.time.Duration;
import java.util.List;
import millrace.simulation.plan.PlannedAction;
import millrace.simulation.plan.SimulationPlan;

/** When something went wrong that may delay deliveries, by the plan. */
public final class DisturbanceTimes {
    /** A session has expired, a transaction was aborted, partitions were shared out and read again. */
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

    /** @param began when the plan's time began, in simulated nanoseconds */
    public static DisturbanceTimes of(SimulationPlan plan, long began) {
        return new DisturbanceTimes(plan.actions().stream()
                .flatMap(action -> span(action).stream())
                .map(span -> span.later(began))
                .toList());
    }

    /** @param from simulated nanoseconds, like {@code to} */
    public boolean touches(int endpoint, long from, long to) {
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
            // A receiver that was sick is probed at first; for how long depends on how long it was.
            case PlannedAction.Receiver a -> List.of(new Span(a.at().toNanos(), Long.MAX_VALUE, a.endpoint()));
            // It kills processors, not notifiers.
            case PlannedAction.Request _, PlannedAction.Grant _, PlannedAction.Retry _, PlannedAction.Cancel _ ->
                List.of();
        };
    }

    private static Span span(Duration at, Duration time) {
        return new Span(at.toNanos(), at.plus(time).plus(RECOVERY).toNanos(), ALL);
    }
}
