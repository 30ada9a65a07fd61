package millrace.simulation.invariants;

import static millrace.simulation.invariants.InvariantViolated.check;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.ToIntFunction;
import millrace.contracts.reports.ErrorCode;
import millrace.contracts.reports.ReportEvent;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.Status;
import millrace.simulation.plan.ReportKind;
import org.jspecify.annotations.Nullable;

/** Each accepted report ends once per attempt, its events come in order without a gap, and no innocent report is blamed for a death. */
public final class ReportInvariants {
    /** A slice that was cut off so often when it had its process to itself cannot be told from one that ends it. */
    private static final int INTERRUPTIONS_THAT_BLAME = 2;

    private final Map<UUID, ReportKind> kinds;
    private final ToIntFunction<UUID> interruptedAlone;
    private final Map<UUID, ReportStatus> newest = new LinkedHashMap<>();

    /**
     * @param kinds of the reports that were asked for
     * @param interruptedAlone how often a fault of the plan cut off a slice of the report that had its process to itself
     */
    public ReportInvariants(Map<UUID, ReportKind> kinds, ToIntFunction<UUID> interruptedAlone) {
        this.kinds = kinds;
        this.interruptedAlone = interruptedAlone;
    }

    public void take(ReportEvent event) {
        ReportStatus now = event.report();
        ReportStatus before = newest.put(now.reportId(), now);
        int sequence = before == null ? 0 : before.sequence();
        check(now.sequence() == sequence + 1, "after event %d of %s comes %s", sequence, now.reportId(), now);
        check(
                before == null || before.status() == Status.PROCESSING || now.attempt() == before.attempt() + 1,
                "%s had ended in attempt %d and goes on: %s",
                now.reportId(),
                before == null ? 0 : before.attempt(),
                now);
        ReportStatus.Failure error = now.error();
        if (error != null) {
            innocent(now, error);
        }
    }

    private void innocent(ReportStatus status, ReportStatus.Failure error) {
        ReportKind kind = kinds.get(status.reportId());
        check(
                error.code() == ErrorCode.CANCELLED
                        || error.code() == ErrorCode.INSUFFICIENT_CREDITS
                        || (kind != null && kind.mayFail())
                        || interruptedAlone.applyAsInt(status.reportId()) >= INTERRUPTIONS_THAT_BLAME,
                "an innocent %s report fails: %s",
                kind,
                status);
    }

    public boolean ended(UUID report, int attempt) {
        ReportStatus status = newest.get(report);
        return status != null && status.attempt() >= attempt && status.status() != Status.PROCESSING;
    }

    /** The newest status that was published, or null. */
    public @Nullable ReportStatus status(UUID report) {
        return newest.get(report);
    }
}
