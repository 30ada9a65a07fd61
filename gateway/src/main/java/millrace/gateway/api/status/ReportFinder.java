package millrace.gateway.api.status;

import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import millrace.contracts.reports.Status;
import millrace.gateway.access.Caller;
import millrace.gateway.copy.PartitionEnds;
import millrace.gateway.copy.reports.ModelReader;
import millrace.gateway.copy.reports.ReadModel;
import millrace.gateway.copy.reports.ReportView;
import millrace.gateway.problems.ProblemCode;
import millrace.gateway.server.JsonResponses;
import millrace.gateway.server.QueryParameters;
import millrace.gateway.server.RefusedException;
import millrace.runtime.kafka.FoldedOffsets;
import org.apache.kafka.common.TopicPartition;

/** Finds an account's report, also one that another gateway has just accepted. */
@Singleton
public final class ReportFinder {
    private static final Duration TIMEOUT = Duration.ofSeconds(1);

    private final ReadModel model;
    private final ModelReader reader;
    private final FoldedOffsets foldedOffsets;
    private final PartitionEnds ends;
    private final StatusWaits waits;

    ReportFinder(
            ReadModel model, ModelReader reader, FoldedOffsets foldedOffsets, PartitionEnds ends, StatusWaits waits) {
        this.model = model;
        this.reader = reader;
        this.foldedOffsets = foldedOffsets;
        this.ends = ends;
        this.waits = waits;
    }

    /**
     * Finds a report by its id. If it is not known, blocks up to a second and reads the
     * account's newest commands.
     *
     * @throws RefusedException if the account has no such report, or that cannot be found out
     */
    public ReportView find(Caller caller, String id) throws InterruptedException {
        UUID reportId = QueryParameters.reportId(id).orElseThrow(ReportFinder::missing);
        // One lookup: between two, the command may be folded, and the account's own report would be taken for
        // another's.
        Optional<ReportView> known = model.report(reportId);
        if (known.isEmpty()) {
            requireNewest(caller);
            known = model.report(reportId);
        }
        return known.filter(report -> report.accountId().equals(caller.accountId()))
                .orElseThrow(ReportFinder::missing);
    }

    /**
     * As {@link #find}, and up to date with other gateways: a report whose retry another gateway
     * has accepted is processing. Blocks up to a second more if the report may be retried, or is
     * processing below the sequence.
     *
     * @param minSequence a sequence that the client knows from a webhook
     * @throws RefusedException as {@link #find}, and if the report has ended below the sequence
     */
    public ReportView current(Caller caller, String id, int minSequence) throws InterruptedException {
        ReportView found = find(caller, id);
        if (found.mayBeRetried()) {
            requireNewest(caller);
            found = find(caller, id);
        }
        readSoonWhileOpen(found);
        return found.sequence() < minSequence ? atLeast(minSequence, caller, found) : found;
    }

    /**
     * If the report is processing, blocks until it has a later status change, at most for the time.
     *
     * @param minSequence a change that the client waits for
     * @return whether it waited as long as was needed: not if too many requests do
     * @throws RefusedException as {@link #find}
     */
    boolean awaitChange(Caller caller, String id, int minSequence, Duration atMost) throws InterruptedException {
        ReportView known = find(caller, id);
        int least = Math.max(minSequence, known.sequence() + 1);
        return model.watches()
                .await(
                        known.cursor().reportId(),
                        () -> {
                            ReportView newest = newest(known).get();
                            return newest.word() != Status.PROCESSING || newest.sequence() >= least;
                        },
                        condition -> waits.await(caller.accountId(), condition, atMost));
    }

    /** Blocks until the report has ended, at most for the timeout. Returns what is known then. */
    public ReportView awaitEnd(ReportView known, Duration timeout) throws InterruptedException {
        Supplier<ReportView> newest = newest(known);
        await(known, () -> newest.get().word() != Status.PROCESSING, timeout);
        return newest.get();
    }

    /**
     * Blocks until a report that had ended is erased, or is processing again, at most for the timeout. Returns what is
     * known then: nothing once it is erased.
     */
    public Optional<ReportView> awaitErased(ReportView known, Duration timeout) throws InterruptedException {
        Supplier<Optional<ReportView>> newest =
                () -> model.report(known.accountId(), known.cursor().reportId());
        await(known, () -> newest.get().map(ReportView::word).orElse(Status.PROCESSING) == Status.PROCESSING, timeout);
        return newest.get();
    }

    /**
     * Blocks up to a second, until every command of the account that any gateway has appended is
     * folded here. Returns false where that takes longer.
     */
    boolean readCommands(Caller caller) throws InterruptedException {
        return readToEnd(reader.commandsOf(caller.accountId()));
    }

    private void requireNewest(Caller caller) throws InterruptedException {
        if (!readCommands(caller)) {
            throw unread();
        }
    }

    /** Finds a report, as far as it is in memory, without waiting. */
    Optional<ReportView> cached(Caller caller, String id) {
        Optional<ReportView> known =
                QueryParameters.reportId(id).flatMap(reportId -> model.cached(caller.accountId(), reportId));
        known.ifPresent(this::readSoonWhileOpen);
        return known;
    }

    /** Finds a report as it is known now. Reads the disk. */
    Optional<ReportView> known(Caller caller, String id) {
        return QueryParameters.reportId(id).flatMap(reportId -> model.report(caller.accountId(), reportId));
    }

    /** Who is told that a report is processing asks again, some within milliseconds. */
    private void readSoonWhileOpen(ReportView view) {
        if (view.word() == Status.PROCESSING) {
            foldedOffsets.readSoon();
        }
    }

    private ReportView atLeast(int minSequence, Caller caller, ReportView known) throws InterruptedException {
        Supplier<ReportView> newest = newest(known);
        await(
                known,
                () -> newest.get().sequence() >= minSequence || newest.get().word() != Status.PROCESSING,
                TIMEOUT);
        // Another gateway may have accepted a retry of a failed report.
        if (newest.get().sequence() < minSequence && newest.get().word() == Status.INTERNAL_ERROR) {
            UUID id = known.cursor().reportId();
            if (!readCommands(caller) || !readToEnd(reader.statusOf(caller.accountId(), id))) {
                throw unread();
            }
        }
        ReportView found = newest.get();
        if (found.sequence() >= minSequence) {
            return found;
        }
        throw new RefusedException(
                found.word() == Status.PROCESSING
                        ? JsonResponses.unavailable(
                                ProblemCode.GATEWAY_STARTING,
                                "min_sequence: this gateway has not read change " + minSequence + " yet; try again.")
                        : JsonResponses.problem(
                                ProblemCode.INVALID_REQUEST,
                                "min_sequence: the report has ended with change " + found.sequence()
                                        + "; there is no change " + minSequence + "."));
    }

    private void await(ReportView report, BooleanSupplier condition, Duration timeout) throws InterruptedException {
        boolean unused = model.watches()
                .await(report.cursor().reportId(), condition, until -> foldedOffsets.await(until, timeout));
    }

    private Supplier<ReportView> newest(ReportView known) {
        return () -> model.report(known.accountId(), known.cursor().reportId()).orElse(known);
    }

    /** Waits until every record that is in the partition now has been folded. */
    private boolean readToEnd(TopicPartition partition) throws InterruptedException {
        return ends.awaitRead(List.of(partition), foldedOffsets, TIMEOUT);
    }

    private static RefusedException unread() {
        return new RefusedException(JsonResponses.unavailable(
                ProblemCode.KAFKA_UNAVAILABLE, "This gateway cannot read what is new; try again."));
    }

    private static RefusedException missing() {
        return new RefusedException(ProblemCode.REPORT_NOT_FOUND, "report_id: the account has no such report.");
    }
}
