package millrace.processor.ledger.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import millrace.runtime.service.ServiceThreads;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.api.MockProcessorContext.CapturedPunctuator;
import org.junit.jupiter.api.Test;

class CommitPaceTest {
    private long now = Duration.ofDays(1).toNanos();
    private final CommitPace pace = new CommitPace(() -> now, Duration.ofMillis(100));

    @Test
    void whatComesAloneIsCommittedAtOnce() {
        assertThat(decided()).isZero();
        commit(Duration.ofMillis(5));
        pass(Duration.ofMillis(500));
        assertThat(decided()).isZero();
    }

    @Test
    void afterACommitItRestsAsLongAsThatTook() {
        commit(Duration.ofMillis(10));
        assertThat(decided()).isEqualTo(Duration.ofMillis(10));
        pass(Duration.ofMillis(4));
        assertThat(decided()).isEqualTo(Duration.ofMillis(6));
        pass(Duration.ofMillis(6));
        assertThat(decided()).isZero();
    }

    @Test
    void theMoreThereIsToDecideTheFewerCommits() {
        for (int i = 0; i < 80; i++) {
            pace.decided();
        }
        commit(Duration.ofMillis(5));
        assertThat(decided()).isEqualTo(Duration.ofMillis(50));
        pass(Duration.ofMillis(50));
        commit(Duration.ofMillis(5));
        assertThat(decided()).isEqualTo(Duration.ofMillis(5));
    }

    @Test
    void aSlowCommitIsForgottenWithTheNext() {
        commit(Duration.ofSeconds(2));
        pass(Duration.ofMillis(100)); // the longest interval between two commits
        commit(Duration.ofMillis(3));
        assertThat(decided()).isEqualTo(Duration.ofMillis(3));
    }

    @Test
    void waitsForCommandsNoLongerThanUntilTheNextCommit() {
        Duration longest = Duration.ofMillis(100);
        commit(Duration.ofMillis(10));
        assertThat(pace.atMost(longest)).isEqualTo(longest);
        pace.decided();
        assertThat(pace.atMost(longest)).isEqualTo(Duration.ofMillis(10));
        assertThat(pace.atMost(Duration.ZERO)).isZero();
        pass(Duration.ofMillis(11));
        assertThat(pace.atMost(longest)).isZero();
        commit(Duration.ofMillis(5));
        assertThat(pace.atMost(longest)).isEqualTo(longest);
    }

    /** A consumer that waits for 0 ms would spin during the last part of a millisecond. */
    @Test
    void waitsOutTheLastPartOfAMillisecond() {
        commit(Duration.ofMillis(10));
        pace.decided();
        pass(Duration.ofNanos(9_300_000));
        assertThat(pace.atMost(Duration.ofMillis(100))).isEqualTo(Duration.ofMillis(1));
    }

    /** Else a fenced thread would not wait for commands until its next decision. */
    @Test
    void waitsForCommandsAsUsualAfterWhatWasDecidedIsUndone() {
        Duration longest = Duration.ofMillis(100);
        commit(Duration.ofMillis(5));
        pace.decided();
        pass(Duration.ofMillis(20));
        pace.aborted();
        assertThat(pace.atMost(longest)).isEqualTo(longest);
    }

    @Test
    void neverRestsForLongerThanTheInterval() {
        for (int i = 0; i < 80; i++) {
            pace.decided();
        }
        commit(Duration.ofMillis(30));
        assertThat(decided()).isEqualTo(Duration.ofMillis(100));
    }

    @Test
    void knowsWhetherThereIsSomethingToCommit() {
        assertThat(pace.changed()).isFalse();
        pace.decided();
        pace.begins();
        assertThat(pace.changed()).isTrue();
        pace.ends();
        assertThat(pace.changed()).isFalse();
    }

    @Test
    void whatIsWrittenInARestIsCommittedAfterItOnce() {
        var context = new MockProcessorContext<Void, Void>();
        CommitRequests requests = requests(context);
        commit(Duration.ofMillis(10));
        requests.decided();
        requests.decided();
        assertThat(context.committed()).isFalse();
        assertThat(context.scheduledPunctuators()).hasSize(1);
        CapturedPunctuator alarm = context.scheduledPunctuators().getFirst();
        assertThat(alarm.getInterval()).isEqualTo(Duration.ofMillis(10));
        pass(Duration.ofMillis(10));
        alarm.getPunctuator().punctuate(0);
        assertThat(context.committed()).isTrue();
        assertThat(alarm.cancelled()).isTrue();

        context.resetCommit();
        commit(Duration.ofMillis(5));
        requests.decided();
        commit(Duration.ofMillis(5)); // the interval ended, or another task asked
        context.scheduledPunctuators().getLast().getPunctuator().punctuate(0);
        assertThat(context.committed()).isFalse();
    }

    /** Another task of the thread may commit while an alarm is set. */
    @Test
    void whatIsWrittenAfterTheCommitOfAnotherTaskIsCommittedToo() {
        var context = new MockProcessorContext<Void, Void>();
        CommitRequests requests = requests(context);
        commit(Duration.ofMillis(10));
        requests.decided();
        pass(Duration.ofMillis(5));
        commit(Duration.ofMillis(20));
        requests.decided();
        context.scheduledPunctuators().getFirst().getPunctuator().punctuate(0);
        assertThat(context.committed()).isFalse();
        pass(Duration.ofMillis(20));
        context.scheduledPunctuators().getLast().getPunctuator().punctuate(0);
        assertThat(context.committed()).isTrue();
    }

    private CommitRequests requests(MockProcessorContext<Void, Void> context) {
        var none = new HeldTasks(LocalWorkers.NONE, ServiceThreads.ofMachine());
        return new CommitRequests(context, new LedgerTransaction(pace, none), () -> {});
    }

    private Duration decided() {
        pace.decided();
        return pace.rest();
    }

    private void commit(Duration took) {
        pace.begins();
        pass(took);
        pace.ends();
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }
}
