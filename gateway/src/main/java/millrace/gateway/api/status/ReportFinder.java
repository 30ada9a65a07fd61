package millrace.gateway.api.status;

import io.micronaut.http.MutableHttpResponse;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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

    ReportFinder(ReadModel model, ModelReader reader, FoldedOffsets foldedOffsets, PartitionEnds ends) {
        this.model = model;
        this.reader = reader;
        this.foldedOffsets = foldedOffsets;
        this.ends = ends;
    }

    /** The report, or the response that says why it is missing. */
    public sealed interface Found {
        record Report(ReportView view) implements Found {}

        record Missing(MutableHttpResponse<byte[]> answer) implements Found {}
    }

    /**
     * Finds a report by its id. Where it is not known, blocks up to a second and reads the
     * account's newest commands.
     */
    public Found find(Caller caller, String id) throws InterruptedException {
        Optional<UUID> reportId = QueryParameters.reportId(id);
        if (reportId.isEmpty()) {
            return missing();
        }
        // One lookup: between two, the command may be folded, and the account's own report would be taken for
        // another's.
        Optional<ReportView> known = model.report(reportId.get());
        if (known.isEmpty()) {
            if (!readCommands(caller)) {
                return unread();
            }
            known = model.report(reportId.get());
        }
        return known.filter(report -> report.accountId().equals(caller.accountId()))
                .<Found>map(Found.Report::new)
                .orElseGet(ReportFinder::missing);
    }

    /**
     * As {@link #find}, and up to date with other gateways: a report whose retry another gateway
     * has accepted is processing. Blocks up to a second more where the report may be retried, or is
     * processing below the sequence.
     *
     * @param minSequence a sequence that the client knows from a webhook; refused where the report
     *     has ended below it
     */
    public Found current(Caller caller, String id, int minSequence) throws InterruptedException {
        Found found = find(caller, id);
        if (found instanceof Found.Report(ReportView view) && view.mayBeRetried()) {
            found = readCommands(caller) ? find(caller, id) : unread();
        }
        if (found instanceof Found.Report(ReportView view)) {
            readSoonWhileOpen(view);
        }
        return found instanceof Found.Report(ReportView view) && view.sequence() < minSequence
                ? atLeast(minSequence, caller, view)
                : found;
    }

    /** Blocks until the report has ended, at most for the timeout. Returns what is known then. */
    public ReportView awaitEnd(ReportView known, Duration timeout) throws InterruptedException {
        Supplier<ReportView> newest = newest(known);
        foldedOffsets.await(() -> newest.get().word() != Status.PROCESSING, timeout);
        return newest.get();
    }

    /**
     * Blocks until a report that had ended is erased, or is processing again, at most for the timeout. Returns what is
     * known then: nothing once it is erased.
     */
    public Optional<ReportView> awaitErased(ReportView known, Duration timeout) throws InterruptedException {
        Supplier<Optional<ReportView>> newest =
                () -> model.report(known.accountId(), known.cursor().reportId());
        foldedOffsets.await(
                () -> newest.get().map(ReportView::word).orElse(Status.PROCESSING) == Status.PROCESSING, timeout);
        return newest.get();
    }

    /**
     * Blocks up to a second, until every command of the account that any gateway has appended is
     * folded here. Returns false where that takes longer.
     */
    boolean readCommands(Caller caller) throws InterruptedException {
        return readToEnd(reader.commandsOf(caller.accountId()));
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

    private Found atLeast(int minSequence, Caller caller, ReportView known) throws InterruptedException {
        Supplier<ReportView> newest = newest(known);
        foldedOffsets.await(
                () -> newest.get().sequence() >= minSequence || newest.get().word() != Status.PROCESSING, TIMEOUT);
        // Another gateway may have accepted a retry of a failed report.
        if (newest.get().sequence() < minSequence && newest.get().word() == Status.INTERNAL_ERROR) {
            UUID id = known.cursor().reportId();
            if (!readCommands(caller) || !readToEnd(reader.statusOf(caller.accountId(), id))) {
                return unread();
            }
        }
        ReportView found = newest.get();
        if (found.sequence() >= minSequence) {
            return new Found.Report(found);
        }
        return new Found.Missing(
                found.word() == Status.PROCESSING
                        ? JsonResponses.unavailable(
                                ProblemCode.GATEWAY_STARTING,
                                "min_sequence: this gateway has not read change " + minSequence + " yet; try again.")
                        : JsonResponses.problem(
                                ProblemCode.INVALID_REQUEST,
                                "min_sequence: the report has ended with change " + found.sequence()
                                        + "; there is no change " + minSequence + "."));
    }

    private Supplier<ReportView> newest(ReportView known) {
        return () -> model.report(known.accountId(), known.cursor().reportId()).orElse(known);
    }

    /** Waits until every record that is in the partition now has been folded. */
    private boolean readToEnd(TopicPartition partition) throws InterruptedException {
        try {
            long end = ends.end(partition).get(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
            return foldedOffsets.await(() -> foldedOffsets.hasReached(partition, end), TIMEOUT);
        } catch (ExecutionException | TimeoutException e) {
            return false;
        }
    }

    private static Found unread() {
        return new Found.Missing(JsonResponses.unavailable(
                ProblemCode.KAFKA_UNAVAILABLE, "This gateway cannot read what is new; try again."));
    }

    private static Found missing() {
        return new Found.Missing(
                JsonResponses.problem(ProblemCode.REPORT_NOT_FOUND, "report_id: the account has no such report."));
    }
}
