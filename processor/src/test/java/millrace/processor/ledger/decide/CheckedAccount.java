package millrace.processor.ledger.decide;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import millrace.contracts.accounts.LedgerEntry;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.SliceRef;
import millrace.contracts.reports.ReportStatus;
import millrace.processor.ledger.decide.PendingChanges.RecordedFact;

/** Sends commands to an account and checks its invariants after each of them. */
final class CheckedAccount {
    final Ledger ledger = new Ledger(LedgerSamples.RULES);
    final MemoryAccountReader reader;
    final ReferenceLedger reference = new ReferenceLedger();
    /** Every slice that was ever handed out. */
    final List<SliceRef> slices = new ArrayList<>();

    /** Every file that was ever handed out for deletion. */
    private final Set<String> unneeded = new HashSet<>();

    private final Set<String> entryIds = new HashSet<>();
    private Balance fromEntries = Balance.ZERO;
    private long entries;
    private Instant now = LedgerSamples.NOON;

    CheckedAccount(String account) {
        reader = new MemoryAccountReader(account);
    }

    /** @return the facts */
    List<RecordedFact> send(AccountCommand command) {
        reference.saw(command);
        var changes = new PendingChanges(reader, now);
        ledger.decide(changes, command);
        ledger.turns(changes);
        if (late(command)) {
            assertThat(changes.steps().stream().filter(step -> !(step.fact() instanceof Fact.Unneeded)))
                    .as("a late answer changes nothing")
                    .isEmpty();
        }
        return save(changes);
    }

    /** Whether the command answers an attempt that is not the current, open one. */
    private boolean late(AccountCommand command) {
        SliceRef slice =
                switch (command) {
                    case AccountCommand.SliceRunning c -> c.slice();
                    case AccountCommand.SliceDone c -> c.slice();
                    case AccountCommand.SliceFailed c -> c.slice();
                    case AccountCommand.Assembled c -> c.slice();
                    default -> null;
                };
        LedgerReport report = slice == null ? null : reader.reports.get(slice.reportId());
        return slice != null && (report == null || !report.open() || report.attempt() != slice.attempt());
    }

    void pass(Duration time) {
        now = now.plus(time);
        var account = new PendingChanges(reader, now);
        ledger.tick(account);
        save(account);
        List<UUID> known = Stream.concat(reader.reports.keySet().stream(), reader.ended.keySet().stream())
                .sorted()
                .toList();
        for (UUID id : known) {
            var changes = new PendingChanges(reader, now);
            ledger.tick(changes, id);
            ledger.turns(changes);
            save(changes);
        }
    }

    private List<RecordedFact> save(PendingChanges changes) {
        for (RecordedFact step : changes.steps()) {
            check(step);
        }
        reader.save(changes);
        checkBooks();
        checkFiles();
        return changes.steps();
    }

    private void check(RecordedFact step) {
        switch (step.fact()) {
            case Fact.Entered e -> {
                assertThat(entryIds.add(e.entryId())).as(e.entryId()).isTrue();
                entries++;
                assertThat(step.account().ledgerSequence()).isEqualTo(entries);
                fromEntries = fromEntries.moved(e.kind(), e.kind() == LedgerEntry.Kind.OPENING ? 0 : e.amount());
                assertThat(step.account().balance()).isEqualTo(fromEntries);
            }
            case Fact.Dispatched d -> slices.add(d.task().slice());
            case Fact.Unneeded u -> unneeded.addAll(u.files());
            case Fact.Started s -> sawStatus(step);
            case Fact.Completed c -> sawStatus(step);
            case Fact.Failed f -> sawStatus(step);
            default -> {}
        }
    }

    private void sawStatus(RecordedFact step) {
        ReportStatus status = Objects.requireNonNull(step.report()).status();
        OpenAttempt attempt = step.report().work();
        reference.saw(status, attempt == null ? null : attempt.dataVersion());
        if (attempt != null) {
            assertThat(status.dataVersion()).isEqualTo(attempt.dataVersion());
        }
        ReportStatus.Receipt receipt = status.receipt();
        long held = step.report().open() ? status.estimatedCredits() : 0;
        assertThat(receipt.reserved()).isEqualTo(receipt.charged() + receipt.released() + held);
    }

    /** What is deleted is never needed again. */
    private void checkFiles() {
        reader.answers.values().forEach(answer -> assertThat(unneeded)
                .doesNotContain(answer.file().name()));
        for (EndedReport report : reader.ended.values()) {
            if (report.file() != null) {
                assertThat(unneeded).doesNotContain(report.file());
            }
        }
    }

    private void checkBooks() {
        LedgerAccount account = reader.account;
        assertThat(account.balance()).isEqualTo(reference.balance());
        assertThat(account.openReports()).isEqualTo((int)
                reader.reports.values().stream().filter(LedgerReport::open).count());
        for (Lane lane : Lane.values()) {
            int flights = reader.reports.values().stream()
                    .map(LedgerReport::work)
                    .filter(w -> w != null && w.lane() == lane)
                    .mapToInt(w -> Objects.requireNonNull(w).flights().size())
                    .sum();
            int most = lane == Lane.SMALL ? 2 : 3;
            assertThat(account.queue(lane).inFlight()).isEqualTo(flights).isLessThanOrEqualTo(most);
        }
        for (LedgerReport report : reader.reports.values()) {
            // An open report has slices in flight, or waits for reports that have.
            OpenAttempt work = report.work();
            assertThat(work == null || !work.flights().isEmpty() || work.queued())
                    .as("%s", report)
                    .isTrue();
        }
    }
}
