package millrace.simulation.plan;

import java.time.Duration;

/** An action of a client, or a fault, at a time since the start of the simulation. */
public sealed interface PlannedAction {
    Duration at();

    /** Grants credits to an account; the command is sent twice where {@code twice}. */
    record Grant(Duration at, String account, long amount, boolean twice) implements PlannedAction {}

    /**
     * Requests a report.
     *
     * @param report number of the report in the plan
     * @param endpoint number of the receiver of its webhooks, or -1 for none
     * @param twice whether the client repeats the request
     */
    record Request(Duration at, int report, String account, ReportKind kind, int endpoint, boolean twice)
            implements PlannedAction {}

    /** Retries a report, if it has failed by then. */
    record Retry(Duration at, int report) implements PlannedAction {}

    /** Cancels a report. */
    record Cancel(Duration at, int report) implements PlannedAction {}

    /** Erases a report, if it has ended by the time at which that is decided. */
    record Erase(Duration at, int report) implements PlannedAction {}

    /** Kills a process, as {@code kill -9} does, and starts it again. */
    record Kill(Duration at, ServiceName service, Duration downFor) implements PlannedAction {}

    /** Pauses a process, as SIGSTOP does, and resumes it. */
    record Pause(Duration at, ServiceName service, Duration time) implements PlannedAction {}

    /** Stops a process, as SIGTERM does, and starts it again. */
    record Restart(Duration at, ServiceName service, Duration downFor) implements PlannedAction {}

    /** Makes the brokers unavailable for a time. */
    record BrokerUnavailable(Duration at, Duration time) implements PlannedAction {}

    /** Lets acknowledgements get lost with this probability for a time. */
    record LostAcknowledgements(Duration at, double probability, Duration time) implements PlannedAction {}

    /** Makes requests to brokers take up to this latency for a time. */
    record SlowNetwork(Duration at, Duration latency, Duration time) implements PlannedAction {}

    /** Sets the wall clock of a service's machine; it stays so. */
    record SetClock(Duration at, ServiceName service, Duration ahead) implements PlannedAction {}

    /** Changes the behaviour of a receiver of webhooks. */
    record Receiver(Duration at, int endpoint, ReceiverCondition condition) implements PlannedAction {}
}
