package millrace.simulation.plan;

import java.time.Duration;

/** Something that a client does, or that goes wrong, at a time since the simulation began. */
public sealed interface PlannedAction {
    Duration at();

    /** Credits are granted to an account; sent twice where {@code twice}. */
    record Grant(Duration at, String account, long amount, boolean twice) implements PlannedAction {}

    /**
     * A report is asked for.
     *
     * @param report its number in the plan
     * @param endpoint of the receiver that hears of it, or -1 for none
     * @param twice whether the client repeats the request
     */
    record Request(Duration at, int report, String account, ReportKind kind, int endpoint, boolean twice)
            implements PlannedAction {}

    /** A failed report is asked for once more, if it has failed by then. */
    record Retry(Duration at, int report) implements PlannedAction {}

    /** A client cancels a report. */
    record Cancel(Duration at, int report) implements PlannedAction {}

    /** A process dies as by kill -9 and is started again. */
    record Kill(Duration at, ServiceName service, Duration downFor) implements PlannedAction {}

    /** A process stands still as by SIGSTOP, and goes on. */
    record Pause(Duration at, ServiceName service, Duration time) implements PlannedAction {}

    /** A process stops in order and is started again. */
    record Restart(Duration at, ServiceName service, Duration downFor) implements PlannedAction {}

    /** No broker answers for a time. */
    record BrokerUnavailable(Duration at, Duration time) implements PlannedAction {}

    /** Acknowledgements are lost with this probability for a time. */
    record LostAcknowledgements(Duration at, double probability, Duration time) implements PlannedAction {}

    /** Requests to brokers take up to so long for a time. */
    record SlowNetwork(Duration at, Duration latency, Duration time) implements PlannedAction {}

    /** A receiver of webhooks behaves otherwise from now on. */
    record Receiver(Duration at, int endpoint, ReceiverCondition condition) implements PlannedAction {}
}
