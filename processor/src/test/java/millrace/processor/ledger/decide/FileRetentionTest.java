package millrace.processor.ledger.decide;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.FileDeletion.Reason;
import millrace.contracts.commands.SliceRef;
import millrace.contracts.reports.ErrorCode;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.requests.EntityList;
import millrace.contracts.requests.FilterList;
import millrace.contracts.requests.ReportQuery;
import millrace.processor.ledger.decide.PendingChanges.RecordedFact;
import org.junit.jupiter.api.Test;

/** When the files of reports are handed out for deletion. */
class FileRetentionTest {
    private static final UUID R = LedgerSamples.id("r");
    private static final SliceRef SLICE = new SliceRef(R, 1, 0, 1);
    private static final String FILE = LedgerSamples.file(SLICE).name();

    private final Ledger ledger = new Ledger(LedgerSamples.RULES);
    private final MemoryAccountReader reader = new MemoryAccountReader("acme");
    private Instant now = LedgerSamples.NOON;

    @Test
    void theFileOfAReportIsDueAnHourAfterItsTime() {
        complete(LedgerSamples.keptFor(LedgerSamples.request(R, 10, 1, 1, null), 3));
        LedgerReport report = reader.known("r");
        Instant expires = Objects.requireNonNull(report.status().result()).expiresAt();
        assertThat(expires).isEqualTo(LedgerSamples.NOON.plus(Duration.ofDays(3)));
        assertThat(ended().due()).isEqualTo(expires.plus(Duration.ofHours(1)));

        now = expires.plus(Duration.ofHours(1)).minusMillis(1);
        assertThat(tickEnded()).isEmpty();
        now = now.plusMillis(1);
        assertThat(tickEnded()).containsExactly(new Fact.Unneeded(R, Reason.EXPIRED, List.of(FILE)));
        assertThat(ended().due()).isEqualTo(LedgerSamples.NOON.plus(Duration.ofDays(400)));
        assertThat(tickEnded()).isEmpty();
    }

    @Test
    void theFilesOfAReportInPartsGoWithTheirFolder() {
        decide(new AccountCommand.GrantCredits("a", 100, "bought"));
        decide(LedgerSamples.inParts(LedgerSamples.request(R, 10, 10, 2, null), 2));
        for (int slice : List.of(0, 1)) {
            var ref = new SliceRef(R, 1, slice, 1);
            decide(new AccountCommand.SliceDone(ref, LedgerSamples.file(ref), new ResultCounts(1, 1, 0)));
        }
        var manifest = new SliceRef(R, 1, SliceRef.ASSEMBLY, 1);
        decide(new AccountCommand.Assembled(manifest, LedgerSamples.file(manifest)));
        assertThat(ended().file()).isEqualTo(R + "/1/");
        now = ended().due();
        assertThat(tickEnded()).containsExactly(new Fact.Unneeded(R, Reason.EXPIRED, List.of(R + "/1/")));
        assertThat(ended().file()).isNull();
    }

    @Test
    void onlyCompleteReportsHaveAFileThatExpires() {
        decide(new AccountCommand.GrantCredits("a", 100, "bought"));
        decide(LedgerSamples.request(R, 10, 1, 1, null));
        decide(new AccountCommand.SliceFailed(SLICE, ErrorCode.RENDER_FAILED, "broken", true));
        assertThat(ended().file()).isNull();
        now = now.plus(Duration.ofDays(399));
        assertThat(tickEnded()).isEmpty();
        reader.ended.clear();
        assertThat(tickEnded()).isEmpty();
    }

    /** The lists of a request are kept for as long as the report is known, since it can be asked for. */
    @Test
    void theListsOfARequestGoWithTheReport() {
        complete(withLists(LedgerSamples.request(R, 10, 1, 1, null)));
        now = now.plus(Duration.ofDays(400));
        assertThat(tick())
                .containsExactly(
                        new Fact.Unneeded(
                                R,
                                Reason.FORGOTTEN,
                                List.of(
                                        EntityList.fileName("acme", R),
                                        FilterList.fileName("acme", R, "age_group"),
                                        FilterList.fileName("acme", R, "gender"))),
                        new Fact.Forgotten(R));
    }

    /** An operator may let files live as long as reports; the timer of the file ends with the report. */
    @Test
    void aFileThatOutlivesItsReportGoesWithIt() {
        var times = new LedgerRules.Times(
                Duration.ofSeconds(30),
                Duration.ofDays(1),
                Duration.ofDays(400),
                Duration.ofDays(400),
                Duration.ofDays(400),
                Duration.ofDays(29));
        var longLived = new Ledger(new LedgerRules(LedgerSamples.RULES.slicing(), LedgerSamples.RULES.turns(), times));
        decide(longLived, new AccountCommand.GrantCredits("a", 100, "bought"));
        decide(longLived, LedgerSamples.request(R, 10, 1, 1, null));
        decide(longLived, done());
        now = now.plus(Duration.ofDays(400));
        var changes = new PendingChanges(reader, now);
        longLived.tickEnded(changes, R);
        assertThat(facts(changes))
                .containsExactly(new Fact.Unneeded(R, Reason.FORGOTTEN, List.of(FILE)), new Fact.Forgotten(R));
    }

    private static AccountCommand.RequestReport withLists(AccountCommand.RequestReport r) {
        ReportQuery query = r.request()
                .query()
                .with(List.of("e00000.example"), new EntityList(1, 14, "ab", 1, List.of(0L)))
                .withFilters(
                        Map.of(),
                        Map.of("gender", new FilterList(1, 4, "ab"), "age_group", new FilterList(1, 5, "ab")));
        return new AccountCommand.RequestReport(
                r.reportId(),
                r.request().withQuery(query),
                r.quote(),
                r.idempotency(),
                r.submittedAt(),
                r.traceparent());
    }

    private void complete(AccountCommand.RequestReport request) {
        decide(new AccountCommand.GrantCredits("a", 100, "bought"));
        decide(request);
        decide(done());
    }

    private static AccountCommand.SliceDone done() {
        return new AccountCommand.SliceDone(SLICE, LedgerSamples.file(SLICE), new ResultCounts(1, 1, 0));
    }

    private void decide(AccountCommand command) {
        decide(ledger, command);
    }

    private void decide(Ledger by, AccountCommand command) {
        var changes = new PendingChanges(reader, now);
        by.decide(changes, command);
        by.turns(changes);
        reader.save(changes);
    }

    private EndedReport ended() {
        return Objects.requireNonNull(reader.ended.get(R));
    }

    private List<Fact> tickEnded() {
        var changes = new PendingChanges(reader, now);
        ledger.tickEnded(changes, R);
        reader.save(changes);
        return facts(changes);
    }

    private List<Fact> tick() {
        var changes = new PendingChanges(reader, now);
        ledger.tick(changes, R);
        return facts(changes);
    }

    private static List<Fact> facts(PendingChanges changes) {
        return changes.steps().stream().map(RecordedFact::fact).toList();
    }
}
