package millrace.processor.rendering.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import millrace.contracts.commands.RenderTask;
import millrace.contracts.commands.SliceRef;
import millrace.processor.rendering.tasks.TaskRunner.RunningTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The moves of a run: which are possible in each state, and what they do. */
class TaskRunTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final long LATER = Duration.ofSeconds(2).toNanos();

    private final AtomicInteger cancelled = new AtomicInteger();
    private final TaskRun run = new TaskRun(
            QueuedTask.inMemory(
                    new RenderTask.Assemble("acme", new SliceRef(new UUID(0, 1), 1, 0, 1), List.of()), 0, null, 1),
            0);

    private final RunningTask rendering = new RunningTask() {
        @Override
        public long rows() {
            return 7;
        }

        @Override
        public void cancel() {
            cancelled.incrementAndGet();
        }
    };

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    @Test
    void itsThreadAnswersItOnce() {
        assertThat(run.answer()).as("before it begins").isFalse();
        assertThat(run.begin(0)).isTrue();
        assertThat(run.begin(0)).isFalse();
        run.rendering(rendering);
        assertThat(run.rows()).isEqualTo(7);
        assertThat(run.answer()).isTrue();
        assertThat(run.answer()).isFalse();
        assertThat(run.stop(0, true)).isFalse();
        assertThat(cancelled).hasValue(0);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void whoStopsItAnswersIt() {
        run.begin(0);
        run.rendering(rendering);
        assertThat(run.stop(0, true)).isTrue();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(cancelled).hasValue(1);
        assertThat(run.stop(0, true)).isFalse();
        assertThat(run.answer()).isFalse();
    }

    @Test
    void whatIsStoppedBeforeItCanBeCancelledIsCancelledThen() {
        run.begin(0);
        run.stop(0, false);
        run.rendering(rendering);
        assertThat(cancelled).hasValue(1);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void onlyWhatWaitsIsTakenBack() {
        assertThat(run.takeBack(SECOND, 0)).isFalse();
        assertThat(run.takeBack(SECOND, LATER)).isTrue();
        assertThat(run.takeBack(SECOND, LATER)).isFalse();
        assertThat(run.begin(LATER)).isFalse();
    }

    @Test
    void whatRunsIsNotTakenBack() {
        run.begin(0);
        assertThat(run.takeBack(SECOND, LATER)).isFalse();
        assertThat(run.answer()).isTrue();
    }

    @Test
    void itLeavesOnceItIsSettledAndItsThreadHasEnded() {
        run.begin(0);
        run.answer();
        assertThat(run.settle()).isFalse();
        assertThat(run.end()).isTrue();
    }

    @Test
    void itLeavesWhenItIsSettledAfterItsThreadHasEnded() {
        run.begin(0);
        run.answer();
        assertThat(run.end()).isFalse();
        assertThat(run.settle()).isTrue();
    }

    @Test
    void whatNeverBeganLeavesOnce() {
        run.stop(0, true);
        assertThat(run.settle()).isTrue();
        assertThat(run.begin(0)).isFalse();
        assertThat(run.end()).isFalse();
    }

    @Test
    void itsTimesCountOnlyInTheirState() {
        assertThat(run.lastsLongerThan(SECOND, LATER)).as("waits").isFalse();
        assertThat(run.isDueForHeartbeat(SECOND, LATER)).as("waits").isFalse();
        run.begin(0);
        assertThat(run.lastsLongerThan(SECOND, LATER)).isTrue();
        assertThat(run.isDueForHeartbeat(SECOND, LATER)).isTrue();
        assertThat(run.isDueForHeartbeat(SECOND, LATER)).as("just sent").isFalse();
        assertThat(run.hangs(SECOND, LATER)).as("runs").isFalse();
        run.stop(0, false);
        assertThat(run.lastsLongerThan(SECOND, LATER)).as("stopped").isFalse();
        assertThat(run.isDueForHeartbeat(SECOND, 2 * LATER)).as("stopped").isFalse();
        assertThat(run.hangs(SECOND, LATER)).isTrue();
        run.end();
        assertThat(run.hangs(SECOND, LATER)).as("ended").isFalse();
    }
}
