package millrace.processor.ledger.account;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.RenderTask;
import millrace.contracts.commands.SliceRef;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.requests.EntityList;
import millrace.contracts.requests.ReportQuery;
import millrace.processor.ledger.account.state.AccountReader.AnswerKey;
import millrace.processor.ledger.account.state.AccountReader.TicketKey;
import millrace.processor.ledger.account.state.Fact;
import millrace.processor.ledger.account.state.Lane;
import millrace.processor.ledger.account.state.LedgerAccount;
import millrace.processor.ledger.account.state.LedgerReport;
import millrace.processor.ledger.account.state.OpenAttempt;
import millrace.processor.ledger.account.state.PendingChanges;
import millrace.processor.ledger.account.state.SliceAnswer;
import org.jspecify.annotations.Nullable;

/**
 * Cuts reports into slices and hands them out, a few at a time. Reports that want to hand out more wait in the line of their
 * lane; each turn hands out one slice, and who wants more queues again.
 */
final class SliceDispatch {
    private final LedgerRules rules;

    SliceDispatch(LedgerRules rules) {
        this.rules = rules;
    }

    Fact.Started plan(LedgerReport report, AccountCommand.RequestReport request, int attempt, String dataVersion) {
        ReportQuery query = request.request().query();
        int slices = slices(report.quote().rows(), query.entityCount());
        boolean small = slices == 1 && report.quote().rows() <= rules.slicing().rows();
        Lane lane = small ? Lane.SMALL : Lane.LARGE;
        return new Fact.Started(report.id(), attempt, dataVersion, lane, slices, query.limit());
    }

    private int slices(long rows, int entities) {
        LedgerRules.Slicing slicing = rules.slicing();
        long wanted = Math.max(Math.ceilDiv(rows, slicing.rows()), Math.ceilDiv(entities, slicing.entities()));
        return (int) Math.max(1, Math.min(wanted, Math.min(slicing.slices(), entities)));
    }

    /** Queues the report where it has more to hand out. */
    void offer(PendingChanges draft, UUID id) {
        OpenAttempt work = draft.report(id).openWork();
        if (!work.queued() && work.wantsTurn(rules.turns().report())) {
            draft.record(new Fact.Queued(id, work.lane()));
        }
    }

    /** Whether somebody waits and there is room. */
    boolean turnIsDue(LedgerAccount account) {
        return turnIsDue(account, Lane.SMALL) || turnIsDue(account, Lane.LARGE);
    }

    private boolean turnIsDue(LedgerAccount account, Lane lane) {
        return account.line(lane).waits() && account.line(lane).inFlight() < room(lane);
    }

    /** The lane of the next turn, where one is due. */
    private Lane next(PendingChanges draft) {
        return turnIsDue(draft.account(), Lane.SMALL) ? Lane.SMALL : Lane.LARGE;
    }

    private int room(Lane lane) {
        return switch (lane) {
            case SMALL -> rules.turns().small();
            case LARGE -> rules.turns().account();
        };
    }

    /** Gives the next turn: hands out a slice of the report whose turn it is. */
    void turn(PendingChanges draft) {
        Lane lane = next(draft);
        UUID id = first(draft, lane);
        if (id == null) {
            throw new IllegalStateException("the next ticket of lane " + lane + " is lost");
        }
        draft.record(new Fact.Called(id, lane));
        LedgerReport report = draft.reports().get(id);
        // A report may have ended, and even begun again in another lane, since it took this ticket.
        if (report == null || !report.open() || report.openWork().lane() != lane) {
            return;
        }
        if (report.openWork().wantsTurn(rules.turns().report())) {
            hand(draft, report, render(draft, report, report.openWork().next(), 1));
            offer(draft, id);
        }
    }

    /** Ends the report whose turn it is. */
    void endTurn(PendingChanges draft) {
        Lane lane = next(draft);
        UUID id = first(draft, lane);
        draft.record(new Fact.Called(id, lane));
        LedgerReport report = id == null ? null : draft.reports().get(id);
        if (report != null && report.open()) {
            ReportAttempts.abandon(draft, report);
        }
    }

    void skipTurn(PendingChanges draft) {
        draft.record(new Fact.Called(null, next(draft)));
    }

    /** The report that holds the next ticket, or null where that is lost. */
    private static @Nullable UUID first(PendingChanges draft, Lane lane) {
        return draft.tickets()
                .get(new TicketKey(lane, draft.account().line(lane).first()));
    }

    /** Hands out a slice, or the assembly, once more. */
    void again(PendingChanges draft, LedgerReport report, int slice, int dispatch) {
        hand(
                draft,
                report,
                slice == SliceRef.ASSEMBLY
                        ? assembly(draft, report, dispatch)
                        : render(draft, report, slice, dispatch));
    }

    void assemble(PendingChanges draft, LedgerReport report) {
        hand(draft, report, assembly(draft, report, 1));
    }

    private void hand(PendingChanges draft, LedgerReport report, RenderTask task) {
        draft.record(new Fact.Dispatched(
                report.id(),
                report.openWork().lane(),
                task,
                draft.now().plus(rules.times().patience())));
    }

    private static RenderTask render(PendingChanges draft, LedgerReport report, int slice, int dispatch) {
        OpenAttempt work = report.openWork();
        ReportQuery query = draft.request(report.id()).request().query();
        int from = bound(slice, query.entityCount(), work.slices());
        int to = bound(slice + 1, query.entityCount(), work.slices());
        EntityList list = query.entityList();
        String account = report.status().accountId();
        return new RenderTask.RenderSlice(
                account,
                new SliceRef(report.id(), report.attempt(), slice, dispatch),
                query.withEntities(list == null ? query.entities().subList(from, to) : List.of()),
                work.dataVersion(),
                report.quote().rule().countsRevealed(),
                work.rowsLeft(),
                slice == 0,
                list == null ? null : list.range(EntityList.fileName(account, report.id()), from, to));
    }

    private static int bound(int slice, int entities, int slices) {
        return (int) ((long) slice * entities / slices);
    }

    private static RenderTask assembly(PendingChanges draft, LedgerReport report, int dispatch) {
        List<StoredFile> parts = new ArrayList<>();
        for (int slice = 0; slice < report.openWork().next(); slice++) {
            SliceAnswer answer = draft.answers().get(new AnswerKey(report.id(), report.attempt(), slice));
            if (answer == null) {
                throw new IllegalStateException("the answer of slice " + slice + " of " + report.id() + " is lost");
            }
            parts.add(answer.file());
        }
        return new RenderTask.Assemble(
                report.status().accountId(),
                new SliceRef(report.id(), report.attempt(), SliceRef.ASSEMBLY, dispatch),
                parts);
    }
}
