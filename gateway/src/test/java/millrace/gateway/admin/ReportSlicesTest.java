package millrace.gateway.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.UUID;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.SliceRef;
import millrace.contracts.reports.ErrorCode;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.reports.StoredFile;
import millrace.gateway.admin.ReportSlices.Answers;
import millrace.gateway.admin.ReportSlices.Slice;
import millrace.gateway.admin.ReportSlices.State;
import org.junit.jupiter.api.Test;

class ReportSlicesTest {
    private static final Instant BEGIN = Instant.parse("2026-11-22T08:00:00Z");
    private static final StoredFile FILE = new StoredFile("part", 1, "0".repeat(64));

    private final UUID report = UUID.randomUUID();
    private final Answers answers = new Answers(report, 2);
    private int second;

    @Test
    void tellsWhatIsNotDoneFirst() {
        running(0, 1, 10);
        done(1, 1, 50);
        running(2, 1, 30);
        failed(0, 1);
        ReportSlices.Heard heard = answers.heard(true, 10);
        assertThat(heard.running()).isEqualTo(1);
        assertThat(heard.failed()).isEqualTo(1);
        assertThat(heard.done()).isEqualTo(1);
        assertThat(heard.rows()).isEqualTo(50);
        assertThat(heard.list()).extracting(Slice::slice).containsExactly(0, 2, 1);
        assertThat(heard.list().getFirst().error()).isEqualTo("a disk is full");
        assertThat(answers.heard(false, 2).list()).hasSize(2);
    }

    @Test
    void theFirstThatIsDoneCountsWhoeverComesLate() {
        failed(0, 1);
        running(0, 2, 5);
        done(0, 2, 20);
        running(0, 1, 7);
        done(0, 1, 20);
        assertThat(answers.heard(true, 10).list())
                .containsExactly(new Slice(0, null, State.DONE, 2, 20, BEGIN.plusSeconds(3), null));
    }

    @Test
    void anOlderDispatchDoesNotHideTheOneThatRuns() {
        running(0, 2, 5);
        failed(0, 1);
        assertThat(answers.heard(true, 10).list()).extracting(Slice::state).containsExactly(State.RUNNING);
    }

    @Test
    void otherReportsAndAttemptsAreNotMeant() {
        answers.fold(new AccountCommand.SliceRunning(new SliceRef(UUID.randomUUID(), 2, 0, 1), 5), BEGIN);
        answers.fold(new AccountCommand.SliceRunning(new SliceRef(report, 1, 0, 1), 5), BEGIN);
        answers.fold(new AccountCommand.CancelReport(report), BEGIN);
        assertThat(answers.heard(true, 10).list()).isEmpty();
    }

    @Test
    void assemblyHasNoNumber() {
        answers.fold(new AccountCommand.Assembled(new SliceRef(report, 2, SliceRef.ASSEMBLY, 1), FILE), BEGIN);
        assertThat(answers.heard(true, 10).list()).extracting(Slice::slice).containsOnlyNulls();
    }

    @Test
    void partsHaveNumbersAndAreNoSlices() {
        answers.fold(new AccountCommand.SliceRunning(new SliceRef(report, 2, SliceRef.ofPart(1), 1), 0), BEGIN);
        done(0, 1, 50);
        ReportSlices.Heard heard = answers.heard(true, 10);
        assertThat(heard.list()).extracting(Slice::part).containsExactly(2, null);
        assertThat(heard.running()).isZero();
        assertThat(heard.done()).isEqualTo(1);
    }

    private void running(int slice, int dispatch, long rows) {
        fold(new AccountCommand.SliceRunning(new SliceRef(report, 2, slice, dispatch), rows));
    }

    private void done(int slice, int dispatch, long rows) {
        fold(new AccountCommand.SliceDone(
                new SliceRef(report, 2, slice, dispatch), FILE, new ResultCounts(rows, rows, 0)));
    }

    private void failed(int slice, int dispatch) {
        fold(new AccountCommand.SliceFailed(
                new SliceRef(report, 2, slice, dispatch), ErrorCode.RENDER_FAILED, "a disk is full"));
    }

    private void fold(AccountCommand command) {
        second++;
        answers.fold(command, BEGIN.plusSeconds(second));
    }
}
