package millrace.simulation.invariants;

import static millrace.simulation.invariants.InvariantViolated.check;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.ToIntFunction;
import millrace.contracts.reports.ErrorCode;
import millrace.contracts.reports.ReportEvent;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.Status;
import millrace.simulation.plan.ReportKind;
import org.jspecify.annotations.Nullable;

/**
 * Checks that each accepted report ends once per attempt, that its events have no gap and are in order, and that no
 * innocent report is blamed for the death of a process.
 */
public final class ReportInvariants {
    /**
     * A slice that was interrupted this often while it ran alone cannot be distinguished from one that kills its
     * process.
     */
    private static final int INTERRUPTIONS_THAT_BLAME = 2;

    private final Map<UUID, ReportKind> kinds;
    private final ToIntFunction<UUID> interruptedAlone;
    private final Map<UUID, ReportStatus> newest = new LinkedHashMap<>();
    private final Set<UUID> erased = new LinkedHashSet<>();

    /**
     * @param kinds of the requested reports
     * @param interruptedAlone how often a fault of the plan interrupted a slice of the report that ran alone in its
     *     process
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

    /** The ledger has erased a report. Its events are read later if they are in other partitions. */
    public void erased(UUID report) {
        erased.add(report);
    }

    /** To be called when all records have been read. */
    public void end() {
        erased.forEach(report -> check(ended(report, 1), "%s is erased before it ends: %s", report, status(report)));
    }

    public boolean ended(UUID report, int attempt) {
        ReportStatus status = newest.get(report);
        return status != null && status.attempt() >= attempt && status.status() != Status.PROCESSING;
    }

    /** The newest published status, or null. */
    public @Nullable ReportStatus status(UUID report) {
        return newest.get(report);
    }
}
