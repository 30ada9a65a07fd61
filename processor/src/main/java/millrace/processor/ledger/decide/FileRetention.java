package millrace.processor.ledger.decide;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.FileDeletion.Reason;
import millrace.contracts.commands.SliceRef;
import millrace.contracts.reports.ReportStatus;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.requests.EntityList;
import millrace.contracts.requests.FilterList;
import millrace.contracts.requests.ReportQuery;
import millrace.processor.ledger.decide.AccountReader.AnswerKey;
import org.jspecify.annotations.Nullable;

/**
 * Decides which files of a report are not needed any more. Each run of a task names its file anew, so a file that was
 * not needed once never will be.
 */
final class FileRetention {
    private FileRetention() {}

    /** When the file of a complete report is to be deleted. */
    private static Optional<Instant> due(LedgerReport report) {
        return Optional.ofNullable(report.status().result())
                .map(result -> result.expiresAt().plus(LedgerRules.FILES_AFTER_END));
    }

    /**
     * What is kept of a report that is over.
     *
     * @param request null where it is lost
     */
    static EndedReport ended(LedgerReport report, AccountCommand.@Nullable RequestReport request, Instant knownUntil) {
        ReportQuery query = request == null ? null : request.request().query();
        ReportStatus.Result result = report.status().result();
        return new EndedReport(
                report.id(),
                report.attempt(),
                result == null ? null : name(report, result),
                due(report).orElse(null),
                knownUntil,
                query != null && query.entityList() != null,
                query == null || query.filterLists() == null
                        ? List.of()
                        : List.copyOf(query.filterLists().keySet()));
    }

    private static String name(LedgerReport report, ReportStatus.Result result) {
        return result.parts() == null ? result.file().name() : EndedReport.folder(report.id(), report.attempt());
    }

    /** Hands out the file of a report whose time is over. */
    static void expire(PendingChanges changes, UUID id) {
        EndedReport report = changes.ended().get(id);
        if (report != null
                && report.file() != null
                && report.fileDue() != null
                && !report.fileDue().isAfter(changes.now())) {
            changes.record(new Fact.Unneeded(id, Reason.EXPIRED, List.of(report.file())));
        }
    }

    /** Hands out all that a report has when it is about to be forgotten. */
    static void forget(PendingChanges changes, EndedReport report) {
        String account = changes.account().id();
        List<String> files = new ArrayList<>();
        if (report.entityList()) {
            files.add(EntityList.fileName(account, report.id()));
        }
        for (String column : report.filterLists()) {
            files.add(FilterList.fileName(account, report.id(), column));
        }
        Instant done = changes.now().minus(LedgerRules.FILES_BEHIND);
        if (report.file() != null
                && report.fileDue() != null
                && report.fileDue().isAfter(done)) {
            files.add(report.file());
        }
        record(changes, report.id(), Reason.FORGOTTEN, files);
    }

    /** What the open attempt has when it fails. To be asked for before it ends. */
    static List<String> ofFailed(PendingChanges changes, LedgerReport report) {
        return report.openWork().inParts()
                ? List.of(EndedReport.folder(report.id(), report.attempt()))
                : slices(changes, report);
    }

    /**
     * What the open attempt does not need any more when it becomes this file. To be asked for before it ends. Of an
     * attempt in parts that is nothing: the slices of a part go when it is put together.
     */
    static List<String> ofCompleted(PendingChanges changes, LedgerReport report, StoredFile file) {
        return report.openWork().inParts()
                ? List.of()
                : slices(changes, report).stream()
                        .filter(slice -> !slice.equals(file.name()))
                        .toList();
    }

    /** The files of the slices of a part. */
    static List<String> slices(PendingChanges changes, LedgerReport report, int part) {
        return report.openWork()
                .slices(part)
                .mapToObj(slice -> changes.answer(report, slice).file().name())
                .toList();
    }

    /**
     * The files of the slices that the open attempt has answered. Those of a report of one slice are not stored, since its
     * answer is its end.
     */
    private static List<String> slices(PendingChanges changes, LedgerReport report) {
        OpenAttempt work = report.openWork();
        List<String> names = new ArrayList<>();
        for (int slice = 0; work.slices() > 1 && slice < work.next(); slice++) {
            SliceAnswer answer = changes.answers().get(new AnswerKey(report.id(), report.attempt(), slice));
            if (answer != null) {
                names.add(answer.file().name());
            }
        }
        return names;
    }

    /** Hands out the file of an answer that the ledger has no use for. */
    static void unused(PendingChanges changes, SliceRef slice, StoredFile file) {
        LedgerReport report = changes.reports().get(slice.reportId());
        EndedReport ended = report == null ? changes.ended().get(slice.reportId()) : null;
        boolean unused = report == null
                ? ended != null && slice.attempt() <= ended.attempt() && !ended.has(file.name())
                : wasHandedOut(report, slice) && !isTaken(changes, report, slice, file);
        if (unused) {
            record(changes, slice.reportId(), Reason.UNUSED, List.of(file.name()));
        }
    }

    private static boolean wasHandedOut(LedgerReport report, SliceRef slice) {
        if (!report.open() || report.attempt() != slice.attempt()) {
            return slice.attempt() <= report.attempt();
        }
        OpenAttempt work = report.openWork();
        return slice.namesSlice() ? slice.slice() < work.next() : slice.namesPart() && slice.part() < work.parts();
    }

    /** Whether it is the answer that was taken, which has come a second time. */
    private static boolean isTaken(PendingChanges changes, LedgerReport report, SliceRef slice, StoredFile file) {
        ReportStatus.Result result = report.status().result();
        SliceAnswer answer = changes.answers().get(new AnswerKey(report.id(), slice.attempt(), slice.slice()));
        return (result != null
                        && (result.file().name().equals(file.name())
                                || (result.parts() != null && slice.attempt() == report.attempt())))
                || (answer != null && answer.file().name().equals(file.name()));
    }

    static void record(PendingChanges changes, UUID id, Reason reason, List<String> files) {
        if (!files.isEmpty()) {
            changes.record(new Fact.Unneeded(id, reason, files));
        }
    }
}
