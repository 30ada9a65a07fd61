package millrace.processor.ledger.streams;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.reports.StoredFile;
import millrace.processor.TestThreads;
import millrace.processor.ledger.decide.LedgerSamples;
import millrace.processor.ledger.streams.HeldTasks.AnsweredTask;
import millrace.processor.ledger.streams.LocalWorkers.HandedTask;
import millrace.runtime.service.ServiceThreads;
import org.junit.jupiter.api.Test;

/** The test moves the clock, also by what the thread waits. */
class HeldTasksTest {
    private static final Object STEP = new Object();
    private static final Object OTHER_STEP = new Object();

    private final ManualWorkers workers = new ManualWorkers();
    private long now = Duration.ofDays(1).toNanos();
    private Runnable whileParked = () -> {};
    private final HeldTasks held = new HeldTasks(workers, threads());
    private final List<OutgoingRecord> sent = new ArrayList<>();

    @Test
    void eachStepGetsItsAnswersOnce() {
        handOver(STEP, "a");
        handOver(OTHER_STEP, "b");
        answer("a");
        answer("b");
        assertThat(held.answered(STEP)).extracting(AnsweredTask::answer).containsExactly(done("a"));
        assertThat(held.answered(STEP)).isEmpty();
        assertThat(held.answered(OTHER_STEP)).extracting(AnsweredTask::answer).containsExactly(done("b"));
        commit();
        assertThat(sent).isEmpty();
        assertThat(workers.withdrawn()).isEmpty();
    }

    @Test
    void waitsForTheFirstAnswerAndInAllNoLongerThanItMayHold() {
        assertThat(held.holds()).isFalse();
        handOver(STEP, "a");
        handOver(STEP, "b");
        assertThat(held.holds()).isTrue();
        whileParked = () -> {
            now -= Duration.ofMillis(7).toNanos();
            answer("a");
        };
        assertThat(awaited()).as("10 ms but for 7").isEqualTo(Duration.ofMillis(3));
        whileParked = () -> {};
        held.answered(STEP);
        assertThat(held.holds()).isTrue();
        assertThat(awaited()).isEqualTo(Duration.ofMillis(7));
        assertThat(held.holds()).isFalse();

        commit();
        assertThat(workers.answered()).isEqualTo(1);
        assertThat(workers.late()).isEqualTo(1);
        handOver(STEP, "c");
        assertThat(held.holds()).as("the next transaction").isTrue();
    }

    /** Steps look every millisecond. */
    @Test
    void doesNotWaitLongForStepsThatCanTakeAnAnswer() {
        handOver(STEP, "a");
        answer("a");
        assertThat(awaited()).isEqualTo(Duration.ofMillis(1));
    }

    @Test
    void takesNoMoreThanTheWorkersCanRenderSoon() {
        for (int i = 0; i < HeldTasks.MOST; i++) {
            assertThat(handOver(STEP, "r" + i)).isTrue();
        }
        assertThat(handOver(STEP, "more")).isFalse();
        answer("r7");
        held.answered(STEP);
        assertThat(handOver(STEP, "more")).isTrue();
    }

    @Test
    void largeTasksGoThroughKafka() {
        assertThat(held.handOver(STEP, task("a", HeldTasks.MOST_BYTES + 1))).isFalse();
        assertThat(held.handOver(STEP, task("a", HeldTasks.MOST_BYTES))).isTrue();
    }

    /** A report store that is slow must not cost every report the time that a commit may wait. */
    @Test
    void afterTasksThatAreLateFewerAreHandedOver() {
        List<Boolean> handedOver = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            handedOver.add(handOver(STEP, "r" + i));
            commit();
        }
        assertThat(handedOver)
                .containsExactly(true, false, true, false, false, true, false, false, false, false, true, false);

        while (!handOver(STEP, "in time")) {
            commit();
        }
        answer("in time");
        held.answered(STEP);
        commit();
        assertThat(handOver(STEP, "next")).isTrue();
    }

    @Test
    void whatIsLateIsSentOnceAndWithdrawn() {
        handOver(STEP, "a");
        handOver(STEP, "b");
        answer("b");
        held.giveBack(sent::add);
        held.giveBack(sent::add);
        assertThat(sent).extracting(record -> record.record().key()).containsExactly("a", "b");
        assertThat(workers.withdrawn()).containsExactly(id("a"), id("b"));
        assertThat(workers.discarded()).as("its answer was not taken").containsExactly(done("b"));
        assertThat(held.answered(STEP)).isEmpty();
    }

    @Test
    void filesOfATransactionThatWasNeverCommittedAreDeleted() {
        handOver(STEP, "a");
        answer("a");
        held.answered(STEP);
        held.aborted(true);
        assertThat(workers.discarded()).containsExactly(done("a"));
    }

    /** Kafka may have committed it without having said so; the sweeper finds out. */
    @Test
    void filesOfATransactionWhoseOutcomeIsUnknownStay() {
        handOver(STEP, "a");
        answer("a");
        held.answered(STEP);
        held.aborted(false);
        assertThat(workers.discarded()).isEmpty();
    }

    private boolean handOver(Object step, String report) {
        return held.handOver(step, task(report, 100));
    }

    private void answer(String report) {
        workers.answer(id(report), done(report));
    }

    private void commit() {
        held.giveBack(sent::add);
        held.committed();
    }

    private Duration awaited() {
        long before = now;
        held.await();
        return Duration.ofNanos(now - before);
    }

    private static UUID id(String report) {
        return LedgerSamples.id(report);
    }

    private static HandedTask task(String report, int bytes) {
        return HandedTaskSamples.of("acme", report, bytes);
    }

    private static AccountCommand done(String report) {
        return new AccountCommand.SliceDone(
                HandedTaskSamples.slice(report), new StoredFile(report, 1, "00"), ResultCounts.NONE);
    }

    private ServiceThreads threads() {
        return new TestThreads() {
            @Override
            public long nanoTime() {
                return now;
            }

            @Override
            public void parkNanos(long nanos) {
                now += nanos;
                whileParked.run();
            }
        };
    }
}
