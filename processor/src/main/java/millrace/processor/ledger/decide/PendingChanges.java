package millrace.processor.ledger.decide;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.SliceRef;
import millrace.processor.ledger.decide.AccountReader.AnswerKey;
import millrace.processor.ledger.decide.AccountReader.TicketKey;
import org.jspecify.annotations.Nullable;

/**
 * The state of an account with the facts of one decision applied. It is written as a whole, or discarded after an
 * exception. Facts change state nowhere else.
 */
public final class PendingChanges {
    /**
     * A fact, and the account and report after it.
     *
     * @param report null if the fact is not about a report
     */
    public record RecordedFact(
            Fact fact, LedgerAccount account, @Nullable LedgerReport report) {}

    private final AccountReader reader;
    private final Instant now;
    private final Instant agenda;
    private final List<RecordedFact> steps = new ArrayList<>();
    private final PendingValues<UUID, LedgerReport> reports;
    private final PendingValues<UUID, EndedReport> ended;
    private final PendingValues<UUID, AccountCommand.RequestReport> requests;
    private final PendingValues<AnswerKey, SliceAnswer> answers;
    private final PendingValues<TicketKey, UUID> tickets;
    private final PendingValues<String, Boolean> grants;
    private final PendingValues<String, UUID> claims;
    private final LedgerAccount before;
    private LedgerAccount account;

    public PendingChanges(AccountReader reader, Instant now) {
        this(reader, now, now);
    }

    /**
     * @param now by the wall clock, for stamps and for what others reckon with
     * @param agenda by the clock that leases are due by, which follows the wall clock slowly where that is set
     */
    public PendingChanges(AccountReader reader, Instant now, Instant agenda) {
        this.reader = reader;
        this.now = now;
        this.agenda = agenda;
        this.before = reader.account();
        this.account = before;
        this.reports = new PendingValues<>(reader::report);
        this.ended = new PendingValues<>(reader::ended);
        this.requests = new PendingValues<>(reader::request);
        this.answers = new PendingValues<>(reader::answer);
        this.tickets = new PendingValues<>(reader::ticket);
        this.grants = new PendingValues<>(id -> reader.granted(id) ? Boolean.TRUE : null);
        this.claims = new PendingValues<>(reader::claimant);
    }

    /** Applies a fact. */
    public void record(Fact fact) {
        UUID reportId =
                switch (fact) {
                    case Fact.Entered f -> enter(f);
                    case Fact.Granted f -> {
                        grants.put(f.grantId(), true);
                        yield null;
                    }
                    case Fact.Claimed f -> {
                        claims.put(f.keyHash(), f.reportId());
                        yield f.reportId();
                    }
                    case Fact.Accepted f -> accept(f.request());
                    case Fact.Quoted f -> change(f.reportId(), r -> r.quoted(f.quote()));
                    case Fact.Started f -> change(f.reportId(), r -> r.started(f, now));
                    case Fact.Queued f -> queue(f);
                    case Fact.Called f -> call(f);
                    case Fact.Dispatched f -> {
                        SliceRef slice = f.task().slice();
                        yield change(f.reportId(), r -> r.working(w -> w.dispatched(slice, f.due())));
                    }
                    case Fact.Renewed f -> change(f.reportId(), r -> r.working(w -> w.renewed(f.slice(), f.due())));
                    case Fact.Answered f -> answered(f);
                    case Fact.Joined f -> join(f);
                    case Fact.Progressed f -> change(f.reportId(), r -> r.progressed(f, now));
                    case Fact.Completed f -> end(f.reportId(), r -> r.completed(f, now));
                    case Fact.Failed f -> end(f.reportId(), r -> r.failed(f, now));
                    case Fact.Unneeded f -> unneeded(f);
                    case Fact.Erased f -> erase(f.reportId());
                    case Fact.Forgotten f -> forget(f.reportId());
                };
        steps.add(new RecordedFact(fact, account, reportId == null ? null : reports.get(reportId)));
    }

    public Instant now() {
        return now;
    }

    public Instant agenda() {
        return agenda;
    }

    /** The recorded facts, in order. */
    public List<RecordedFact> steps() {
        return List.copyOf(steps);
    }

    public LedgerAccount account() {
        return account;
    }

    public LedgerAccount accountBefore() {
        return before;
    }

    public PendingValues<UUID, LedgerReport> reports() {
        return reports;
    }

    /** Reports that had ended for good before this decision. */
    public PendingValues<UUID, EndedReport> ended() {
        return ended;
    }

    public PendingValues<UUID, AccountCommand.RequestReport> requests() {
        return requests;
    }

    public PendingValues<AnswerKey, SliceAnswer> answers() {
        return answers;
    }

    public PendingValues<TicketKey, UUID> tickets() {
        return tickets;
    }

    public PendingValues<String, Boolean> grants() {
        return grants;
    }

    public PendingValues<String, UUID> claims() {
        return claims;
    }

    /** Whether the report was ever requested, and is not forgotten. */
    boolean isKnown(UUID id) {
        return reports.get(id) != null || ended.get(id) != null;
    }

    /** Whether an Idempotency-Key belongs to a report. */
    public boolean isClaimed(String keyHash) {
        return claims.get(keyHash) != null || reader.claimedByEnded(keyHash);
    }

    public Optional<AccountReader.DataVersion> dataVersion(String dataset, @Nullable String pinned) {
        return reader.dataVersion(dataset, pinned);
    }

    /**
     * The report with this id.
     *
     * @throws IllegalStateException where it is not known
     */
    public LedgerReport report(UUID id) {
        LedgerReport report = reports.get(id);
        if (report == null) {
            throw new IllegalStateException("report " + id + " is not known");
        }
        return report;
    }

    /**
     * The request of a report.
     *
     * @throws IllegalStateException if it is lost
     */
    public AccountCommand.RequestReport request(UUID id) {
        AccountCommand.RequestReport request = requests.get(id);
        if (request == null) {
            throw new IllegalStateException("the request of report " + id + " is lost");
        }
        return request;
    }

    /**
     * The answer of a slice, or a part, of the report's newest attempt.
     *
     * @throws IllegalStateException if it is lost
     */
    SliceAnswer answer(LedgerReport report, int slice) {
        SliceAnswer answer = answers.get(new AnswerKey(report.id(), report.attempt(), slice));
        if (answer == null) {
            throw new IllegalStateException("the answer of slice " + slice + " of " + report.id() + " is lost");
        }
        return answer;
    }

    private @Nullable UUID enter(Fact.Entered entry) {
        account = account.apply(entry, now);
        UUID id = entry.reportId();
        return id == null ? null : change(id, r -> r.entered(entry));
    }

    private UUID accept(AccountCommand.RequestReport request) {
        requests.put(request.reportId(), request);
        reports.put(request.reportId(), LedgerReport.accepted(account.id(), request, now));
        return request.reportId();
    }

    private UUID change(UUID id, UnaryOperator<LedgerReport> change) {
        LedgerReport before = report(id);
        LedgerReport after = change.apply(before);
        reports.put(id, after);
        account = account.following(before, after);
        return id;
    }

    private UUID queue(Fact.Queued f) {
        LaneQueue queue = account.queue(f.lane());
        tickets.put(new TicketKey(f.lane(), queue.next()), f.reportId());
        account = account.with(f.lane(), queue.queued());
        return change(f.reportId(), r -> r.working(w -> w.queued(true)));
    }

    private @Nullable UUID call(Fact.Called f) {
        LaneQueue queue = account.queue(f.lane());
        tickets.remove(new TicketKey(f.lane(), queue.first()));
        account = account.with(f.lane(), queue.called());
        UUID id = f.reportId();
        LedgerReport report = id == null ? null : reports.get(id);
        // The report may have ended, or have been forgotten, while its ticket waited.
        return report == null || !report.open() ? id : change(report.id(), r -> r.working(w -> w.queued(false)));
    }

    private UUID answered(Fact.Answered f) {
        LedgerReport report = report(f.reportId());
        OpenAttempt work = report.openWork();
        if (work.slices() > 1 && f.slice() != SliceRef.ASSEMBLY) {
            Long rows = work.inParts() ? f.counts().rows() : null;
            answers.put(new AnswerKey(f.reportId(), report.attempt(), f.slice()), new SliceAnswer(f.file(), rows));
        }
        return change(f.reportId(), r -> r.working(w -> w.answered(f.slice(), f.counts(), f.skipped())));
    }

    private UUID join(Fact.Joined f) {
        LedgerReport report = report(f.reportId());
        OpenAttempt work = report.openWork();
        work.slices(f.part()).forEach(slice -> answers.remove(new AnswerKey(f.reportId(), report.attempt(), slice)));
        answers.put(
                new AnswerKey(f.reportId(), report.attempt(), SliceRef.ofPart(f.part())),
                new SliceAnswer(f.file(), f.rows()));
        return change(f.reportId(), r -> r.working(w -> w.joined(f.part())));
    }

    private UUID end(UUID id, UnaryOperator<LedgerReport> change) {
        LedgerReport report = report(id);
        OpenAttempt work = report.work();
        for (int part = 0; work != null && work.slices() > 1 && part < work.parts(); part++) {
            removeAnswers(report, work, part);
        }
        return change(id, change);
    }

    /** Those of the slices of a part that is put together are gone by then. */
    private void removeAnswers(LedgerReport report, OpenAttempt work, int part) {
        var joined = new AnswerKey(report.id(), report.attempt(), SliceRef.ofPart(part));
        if (work.inParts() && work.isJoined(part) && answers.get(joined) != null) {
            answers.remove(joined);
            return;
        }
        work.slices(part)
                .filter(slice -> !work.flights().containsKey(slice))
                .forEach(slice -> answers.remove(new AnswerKey(report.id(), report.attempt(), slice)));
    }

    private UUID unneeded(Fact.Unneeded f) {
        EndedReport report = ended.get(f.reportId());
        if (report != null && report.file() != null && f.files().contains(report.file())) {
            ended.put(f.reportId(), report.withoutFile());
        }
        return f.reportId();
    }

    private UUID erase(UUID id) {
        EndedReport report = ended.get(id);
        if (report != null) {
            ended.put(id, report.erased());
            return id;
        }
        return change(id, LedgerReport::erased);
    }

    private UUID forget(UUID id) {
        if (ended.get(id) != null) {
            ended.remove(id);
            return id;
        }
        AccountCommand.RequestReport request = request(id);
        if (request.idempotency() != null
                && id.equals(claims.get(request.idempotency().keyHash()))) {
            claims.remove(request.idempotency().keyHash());
        }
        requests.remove(id);
        reports.remove(id);
        return id;
    }
}
