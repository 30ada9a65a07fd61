package millrace.processor.ledger.decide;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.RenderTask;
import millrace.contracts.commands.SliceRef;
import millrace.contracts.reports.ReportEvent.QuerySummary;
import millrace.contracts.reports.ReportManifest;
import millrace.contracts.reports.ReportPart;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.requests.EntityList;
import millrace.contracts.requests.ReportQuery;
import millrace.processor.ledger.decide.AccountReader.DataVersion;
import millrace.processor.ledger.decide.AccountReader.TicketKey;
import org.jspecify.annotations.Nullable;

/**
 * Cuts reports into slices and hands them out, a few at a time. A report with more slices waits in the queue of its
 * lane. Each turn hands out one slice; a report with further slices queues again.
 */
final class SliceDispatch {
    private final LedgerRules rules;

    SliceDispatch(LedgerRules rules) {
        this.rules = rules;
    }

    Fact.Started plan(LedgerReport report, AccountCommand.RequestReport request, int attempt, DataVersion version) {
        ReportQuery query = request.request().query();
        Integer offset = query.offset();
        long rows = report.quote().rows() + (offset == null ? 0 : offset);
        int slices = slices(rows, query.entityCount());
        int parts = Math.min(query.parts(), query.entityCount());
        Integer perPart = null;
        if (parts > 1) {
            perPart = perPart(slices, parts, query.entityCount());
            slices = parts * perPart;
        }
        boolean small = slices == 1 && rows <= rules.slicing().rows() && query.filterLists() == null;
        Lane lane = small ? Lane.SMALL : Lane.LARGE;
        return new Fact.Started(
                report.id(),
                attempt,
                version.name(),
                version.publishedAt(),
                lane,
                slices,
                query.limit(),
                offset,
                perPart);
    }

    /** As many slices for each part as make about so many in all. Each slice has an entity. */
    private int perPart(int slices, int parts, int entities) {
        int most = Math.min(rules.slicing().slices(), entities) / parts;
        return Math.max(1, Math.min(Math.ceilDiv(slices, parts), most));
    }

    /** @param rows that may be read, those that are left out among them */
    private int slices(long rows, int entities) {
        LedgerRules.Slicing slicing = rules.slicing();
        long wanted = Math.max(Math.ceilDiv(rows, slicing.rows()), Math.ceilDiv(entities, slicing.entities()));
        return (int) Math.max(1, Math.min(wanted, Math.min(slicing.slices(), entities)));
    }

    /** Queues the report where it has further slices to hand out. */
    void offer(PendingChanges changes, UUID id) {
        OpenAttempt work = changes.report(id).openWork();
        if (!work.queued() && work.wantsTurn(rules.turns().report())) {
            changes.record(new Fact.Queued(id, work.lane()));
        }
    }

    /** Whether a report waits for a turn and the limits allow one. */
    boolean turnIsDue(LedgerAccount account) {
        return turnIsDue(account, Lane.SMALL) || turnIsDue(account, Lane.LARGE);
    }

    private boolean turnIsDue(LedgerAccount account, Lane lane) {
        return account.queue(lane).waits() && account.queue(lane).inFlight() < room(lane);
    }

    /** The lane of the next turn, where one is due. */
    private Lane next(PendingChanges changes) {
        return turnIsDue(changes.account(), Lane.SMALL) ? Lane.SMALL : Lane.LARGE;
    }

    private int room(Lane lane) {
        return switch (lane) {
            case SMALL -> rules.turns().small();
            case LARGE -> rules.turns().account();
        };
    }

    /** Gives the next turn: hands out a slice of the report whose turn it is. */
    void turn(PendingChanges changes) {
        Lane lane = next(changes);
        UUID id = first(changes, lane);
        if (id == null) {
            throw new IllegalStateException("the next ticket of lane " + lane + " is lost");
        }
        changes.record(new Fact.Called(id, lane));
        LedgerReport report = changes.reports().get(id);
        // Since it took this ticket the report may have ended, or begun another attempt in the other lane.
        if (report == null || !report.open() || report.openWork().lane() != lane) {
            return;
        }
        if (report.openWork().wantsTurn(rules.turns().report())) {
            hand(changes, report, render(changes, report, report.openWork().next(), 1));
            offer(changes, id);
        }
    }

    /** Ends the report whose turn it is. */
    void endTurn(PendingChanges changes) {
        Lane lane = next(changes);
        UUID id = first(changes, lane);
        changes.record(new Fact.Called(id, lane));
        LedgerReport report = id == null ? null : changes.reports().get(id);
        if (report != null && report.open()) {
            ReportAttempts.abandon(changes, report);
        }
    }

    void skipTurn(PendingChanges changes) {
        changes.record(new Fact.Called(null, next(changes)));
    }

    /** The report that holds the next ticket, or null where the ticket is lost. */
    private static @Nullable UUID first(PendingChanges changes, Lane lane) {
        return changes.tickets()
                .get(new TicketKey(lane, changes.account().queue(lane).first()));
    }

    /** Hands out a slice, or what puts slices together, once more. */
    void redispatch(PendingChanges changes, LedgerReport report, int slice, int dispatch) {
        var ref = new SliceRef(report.id(), report.attempt(), slice, dispatch);
        RenderTask task = ref.namesSlice()
                ? render(changes, report, slice, dispatch)
                : ref.namesPart() ? joining(changes, report, ref) : assembly(changes, report, ref);
        hand(changes, report, task);
    }

    /** Has the file, or the manifest, of the report made of what is rendered. */
    void assemble(PendingChanges changes, LedgerReport report) {
        redispatch(changes, report, SliceRef.ASSEMBLY, 1);
    }

    /** Has the file of a part made of its slices. */
    void join(PendingChanges changes, LedgerReport report, int part) {
        redispatch(changes, report, SliceRef.ofPart(part), 1);
    }

    private void hand(PendingChanges changes, LedgerReport report, RenderTask task) {
        changes.record(new Fact.Dispatched(
                report.id(),
                report.openWork().lane(),
                task,
                changes.agenda().plus(rules.times().waitTimeout())));
    }

    private static RenderTask render(PendingChanges changes, LedgerReport report, int slice, int dispatch) {
        OpenAttempt work = report.openWork();
        ReportQuery query = changes.request(report.id()).request().query();
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
                slice == work.first(work.part(slice)),
                list == null ? null : list.range(EntityList.fileName(account, report.id()), from, to),
                work.rowsToSkip());
    }

    private static int bound(int slice, int entities, int slices) {
        return (int) ((long) slice * entities / slices);
    }

    private static RenderTask assembly(PendingChanges changes, LedgerReport report, SliceRef ref) {
        String account = report.status().accountId();
        OpenAttempt work = report.openWork();
        if (!work.inParts()) {
            return new RenderTask.Assemble(account, ref, files(changes, report, 0));
        }
        ReportQuery query = changes.request(report.id()).request().query();
        var manifest = ReportManifest.of(report.status(), QuerySummary.of(query), parts(changes, report));
        return new RenderTask.WriteManifest(account, ref, query.withEntities(List.of()), manifest);
    }

    private static RenderTask joining(PendingChanges changes, LedgerReport report, SliceRef ref) {
        return new RenderTask.Assemble(report.status().accountId(), ref, files(changes, report, ref.part()));
    }

    /** The files of the slices of a part; of a report that becomes one file, part 0 has all slices. */
    private static List<StoredFile> files(PendingChanges changes, LedgerReport report, int part) {
        return report.openWork()
                .slices(part)
                .mapToObj(slice -> changes.answer(report, slice).file())
                .toList();
    }

    /** The files of a report in parts whose slices are all answered and put together. */
    static List<ReportPart> parts(PendingChanges changes, LedgerReport report) {
        ReportQuery query = changes.request(report.id()).request().query();
        OpenAttempt work = report.openWork();
        List<ReportPart> parts = new ArrayList<>();
        for (int part = 0; part < work.parts(); part++) {
            int number = work.isJoined(part) ? SliceRef.ofPart(part) : work.first(part);
            SliceAnswer answer = changes.answer(report, number);
            String extension = query.output().fileFormat().extension();
            long rows = Objects.requireNonNull(answer.rows());
            parts.add(ReportPart.of(query.dataset(), part + 1, extension, rows, answer.file()));
        }
        return parts;
    }
}
