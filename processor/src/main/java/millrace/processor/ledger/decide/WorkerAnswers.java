package millrace.processor.ledger.decide;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.FileDeletion.Reason;
import millrace.contracts.commands.SliceRef;
import millrace.contracts.reports.ErrorCode;
import millrace.contracts.reports.ReportParts;
import millrace.contracts.reports.ReportPhase;
import millrace.contracts.reports.ReportStatus.Failure;
import millrace.contracts.reports.ReportStatus.Progress;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.reports.StoredFile;
import org.jspecify.annotations.Nullable;

/**
 * Applies the answers of workers to slices in flight. The first answer of a slice counts, whichever dispatch it comes
 * from, as long as its attempt is open. All other answers change nothing, and their files are deleted.
 */
final class WorkerAnswers {
    private static final double ROUNDING = 1e-9;

    private final LedgerRules rules;
    private final SliceDispatch dispatch;

    WorkerAnswers(LedgerRules rules, SliceDispatch dispatch) {
        this.rules = rules;
        this.dispatch = dispatch;
    }

    void running(PendingChanges changes, AccountCommand.SliceRunning c) {
        LedgerReport report = waitingFor(changes, c.slice());
        if (report == null) {
            return;
        }
        Instant due = changes.agenda().plus(rules.times().lease());
        changes.record(new Fact.Renewed(report.id(), c.slice().slice(), due));
        if (c.slice().namesSlice()) {
            progress(
                    changes,
                    report.id(),
                    ReportPhase.RENDERING,
                    report.openWork().fraction());
        }
    }

    void done(PendingChanges changes, AccountCommand.SliceDone c) {
        if (!c.slice().namesSlice()) {
            return;
        }
        LedgerReport report = waitingFor(changes, c.slice());
        if (report == null) {
            FileRetention.unused(changes, c.slice(), c.file());
            return;
        }
        long skipped = c.skippedRows() == null ? 0 : c.skippedRows();
        checkNotNegative(c.counts(), skipped);
        changes.record(new Fact.Answered(report.id(), c.slice().slice(), c.file(), c.counts(), skipped));
        LedgerReport after = changes.report(report.id());
        if (after.openWork().inParts()) {
            int part = after.openWork().part(c.slice().slice());
            if (after.openWork().rendered(part) && after.openWork().isJoined(part)) {
                dispatch.join(changes, after, part);
            }
            goOn(changes, report.id());
        } else if (!after.openWork().rendered()) {
            progress(
                    changes,
                    report.id(),
                    ReportPhase.RENDERING,
                    after.openWork().fraction());
            dispatch.offer(changes, report.id());
        } else if (after.openWork().done() == 1) {
            ReportAttempts.settle(changes, after, c.file(), null, rules.times());
        } else {
            progress(changes, report.id(), ReportPhase.ASSEMBLING, 1);
            dispatch.assemble(changes, changes.report(report.id()));
        }
    }

    /** Has the next slices of a report in parts rendered, or its manifest written. */
    private void goOn(PendingChanges changes, UUID id) {
        LedgerReport report = changes.report(id);
        OpenAttempt work = report.openWork();
        if (!work.rendered()) {
            progress(changes, id, ReportPhase.RENDERING, work.fraction());
            dispatch.offer(changes, id);
        } else if (work.parts() == 1) {
            StoredFile only = SliceDispatch.parts(changes, report).getFirst().file();
            ReportAttempts.settle(changes, report, only, null, rules.times());
        } else {
            progress(changes, id, ReportPhase.ASSEMBLING, 1);
            dispatch.assemble(changes, changes.report(id));
        }
    }

    void assembled(PendingChanges changes, AccountCommand.Assembled c) {
        if (c.slice().namesSlice()) {
            return;
        }
        LedgerReport report = waitingFor(changes, c.slice());
        if (report == null) {
            FileRetention.unused(changes, c.slice(), c.file());
        } else if (c.slice().namesPart()) {
            join(changes, report, c.slice().part(), c.file());
            goOn(changes, report.id());
        } else {
            ReportParts parts =
                    report.openWork().inParts() ? ReportParts.of(SliceDispatch.parts(changes, report)) : null;
            ReportAttempts.settle(changes, report, c.file(), parts, rules.times());
        }
    }

    private static void join(PendingChanges changes, LedgerReport report, int part, StoredFile file) {
        long rows = report.openWork()
                .slices(part)
                .mapToLong(slice ->
                        Objects.requireNonNull(changes.answer(report, slice).rows()))
                .sum();
        List<String> slices = FileRetention.slices(changes, report, part);
        changes.record(new Fact.Joined(report.id(), part, file, rows));
        FileRetention.record(changes, report.id(), Reason.ASSEMBLED, slices);
    }

    void failed(PendingChanges changes, AccountCommand.SliceFailed c) {
        LedgerReport report = waitingFor(changes, c.slice());
        // The failure of an older dispatch does not end the newer one that is in flight.
        if (report != null
                && flight(report, c.slice().slice()).dispatch() == c.slice().dispatch()) {
            ErrorCode code =
                    c.code() == ErrorCode.DATASET_UNAVAILABLE ? ErrorCode.DATASET_UNAVAILABLE : ErrorCode.RENDER_FAILED;
            if (Boolean.TRUE.equals(c.hopeless())) {
                ReportAttempts.fail(changes, report, new Failure(code, c.message(), false, c.cause()));
            } else {
                Failure failure = ReportAttempts.failure(report.attempt(), code, c.message(), c.cause());
                redispatch(changes, report, c.slice().slice(), failure);
            }
        }
    }

    /** Hands out lost slices again, or fails the report after too many dispatches. */
    void expire(PendingChanges changes, UUID id) {
        List<Integer> lost = changes.report(id).openWork().flights().entrySet().stream()
                .filter(f -> !f.getValue().due().isAfter(changes.agenda()))
                .map(Map.Entry::getKey)
                .toList();
        for (int slice : lost) {
            LedgerReport report = changes.report(id);
            if (report.open()) {
                Failure silent = ReportAttempts.failure(
                        report.attempt(), ErrorCode.RENDER_FAILED, "nothing was heard of its rendering", null);
                redispatch(changes, report, slice, silent);
            }
        }
    }

    private void redispatch(PendingChanges changes, LedgerReport report, int slice, Failure failure) {
        int dispatched = flight(report, slice).dispatch();
        if (dispatched < LedgerRules.DISPATCHES) {
            dispatch.redispatch(changes, report, slice, dispatched + 1);
        } else {
            ReportAttempts.fail(changes, report, failure);
        }
    }

    private static OpenAttempt.Flight flight(LedgerReport report, int slice) {
        OpenAttempt.Flight flight = report.openWork().flights().get(slice);
        if (flight == null) {
            throw new IllegalStateException("slice " + slice + " of " + report.id() + " is not in flight");
        }
        return flight;
    }

    private static @Nullable LedgerReport waitingFor(PendingChanges changes, SliceRef slice) {
        LedgerReport report = changes.reports().get(slice.reportId());
        boolean waits = report != null
                && report.open()
                && report.attempt() == slice.attempt()
                && report.openWork().flights().containsKey(slice.slice());
        return waits ? report : null;
    }

    private static void progress(PendingChanges changes, UUID id, ReportPhase phase, double fraction) {
        Progress seen = changes.report(id).status().progress();
        if (seen == null
                || seen.phase() != phase
                || fraction > seen.fraction() + LedgerRules.PROGRESS_STEP - ROUNDING) {
            changes.record(new Fact.Progressed(id, new Progress(phase, fraction)));
        }
    }

    private static void checkNotNegative(ResultCounts counts, long skipped) {
        if (counts.rows() < 0 || counts.results() < 0 || counts.revealed() < 0 || skipped < 0) {
            throw new IllegalArgumentException("a slice of " + counts + " after " + skipped + " rows");
        }
    }
}
