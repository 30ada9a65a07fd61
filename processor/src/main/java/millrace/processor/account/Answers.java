package millrace.processor.account;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import millrace.contracts.AccountCommand;
import millrace.contracts.Counts;
import millrace.contracts.ErrorCode;
import millrace.contracts.Phase;
import millrace.contracts.ReportStatus.Progress;
import millrace.contracts.SliceRef;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of slices that are in flight. An answer counts for the current, open attempt and a slice that is not answered
 * yet, whichever of its dispatches it comes from; all others change nothing.
 */
final class Answers {
    private static final double ROUNDING = 1e-9;

    private final Rules rules;
    private final Dispatch dispatch;

    Answers(Rules rules, Dispatch dispatch) {
        this.rules = rules;
        this.dispatch = dispatch;
    }

    void running(Draft draft, AccountCommand.SliceRunning c) {
        Report report = waitingFor(draft, c.slice());
        if (report == null) {
            return;
        }
        Instant due = draft.now().plus(rules.times().lease());
        draft.record(new Fact.Renewed(report.id(), c.slice().slice(), due));
        if (c.slice().slice() != SliceRef.ASSEMBLY) {
            progress(draft, report.id(), Phase.RENDERING, report.openWork().fraction());
        }
    }

    void done(Draft draft, AccountCommand.SliceDone c) {
        Report report = waitingFor(draft, c.slice());
        if (report == null || c.slice().slice() == SliceRef.ASSEMBLY) {
            return;
        }
        checkNotNegative(c.counts());
        draft.record(new Fact.Answered(report.id(), c.slice().slice(), c.file(), c.counts()));
        Report after = draft.report(report.id());
        if (!after.openWork().rendered()) {
            progress(draft, report.id(), Phase.RENDERING, after.openWork().fraction());
            dispatch.offer(draft, report.id());
        } else if (after.openWork().done() == 1) {
            Attempts.settle(draft, after, c.file(), rules.times());
        } else {
            progress(draft, report.id(), Phase.ASSEMBLING, 1);
            dispatch.assemble(draft, draft.report(report.id()));
        }
    }

    void assembled(Draft draft, AccountCommand.Assembled c) {
        Report report = waitingFor(draft, c.slice());
        if (report != null && c.slice().slice() == SliceRef.ASSEMBLY) {
            Attempts.settle(draft, report, c.file(), rules.times());
        }
    }

    void failed(Draft draft, AccountCommand.SliceFailed c) {
        Report report = waitingFor(draft, c.slice());
        // The failure of an older dispatch says nothing about the newer one that is under way.
        if (report != null
                && flight(report, c.slice().slice()).dispatch() == c.slice().dispatch()) {
            ErrorCode code =
                    c.code() == ErrorCode.DATASET_UNAVAILABLE ? ErrorCode.DATASET_UNAVAILABLE : ErrorCode.RENDER_FAILED;
            if (Boolean.TRUE.equals(c.hopeless())) {
                Attempts.giveUp(draft, report, code, c.message());
            } else {
                again(draft, report, c.slice().slice(), code, c.message());
            }
        }
    }

    /** Hands out again what is lost. */
    void expire(Draft draft, UUID id) {
        List<Integer> lost = draft.report(id).openWork().flights().entrySet().stream()
                .filter(f -> !f.getValue().due().isAfter(draft.now()))
                .map(Map.Entry::getKey)
                .toList();
        for (int slice : lost) {
            Report report = draft.report(id);
            if (report.open()) {
                again(draft, report, slice, ErrorCode.RENDER_FAILED, "nothing was heard of its rendering");
            }
        }
    }

    private void again(Draft draft, Report report, int slice, ErrorCode code, String message) {
        int dispatched = flight(report, slice).dispatch();
        if (dispatched < Rules.DISPATCHES) {
            dispatch.again(draft, report, slice, dispatched + 1);
        } else {
            Attempts.fail(draft, report, code, message);
        }
    }

    private static Flight flight(Report report, int slice) {
        Flight flight = report.openWork().flights().get(slice);
        if (flight == null) {
            throw new IllegalStateException("slice " + slice + " of " + report.id() + " is not in flight");
        }
        return flight;
    }

    private static @Nullable Report waitingFor(Draft draft, SliceRef slice) {
        Report report = draft.reports().get(slice.reportId());
        boolean waits = report != null
                && report.open()
                && report.attempt() == slice.attempt()
                && report.openWork().flights().containsKey(slice.slice());
        return waits ? report : null;
    }

    private static void progress(Draft draft, UUID id, Phase phase, double fraction) {
        Progress seen = draft.report(id).status().progress();
        if (seen == null || seen.phase() != phase || fraction > seen.fraction() + Rules.PROGRESS_STEP - ROUNDING) {
            draft.record(new Fact.Progressed(id, new Progress(phase, fraction)));
        }
    }

    private static void checkNotNegative(Counts counts) {
        if (counts.rows() < 0 || counts.results() < 0 || counts.revealed() < 0) {
            throw new IllegalArgumentException("a slice of " + counts);
        }
    }
}
