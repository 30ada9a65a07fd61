package millrace.runtime.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class FoldedOffsetsTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    private final FoldedOffsets offsets = new FoldedOffsets();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch answers = new CountDownLatch(1);

    @AfterEach
    void end() {
        answers.countDown();
        threads.close();
    }

    @Test
    void aConditionThatReadsADiskHoldsUpNobody() throws Exception {
        Future<Boolean> slow = waiting(this::blocked, LONG);
        asked.await();
        assertThat(threads.submit(offsets::wakeWaiters))
                .as("the thread that folds")
                .succeedsWithin(LONG);
        assertThat(waiting(() -> true, LONG)).as("another request").succeedsWithin(LONG);
        assertThat(waiting(() -> false, Duration.ofMillis(1)))
                .as("its timeout")
                .succeedsWithin(LONG)
                .isEqualTo(false);
        assertThat(slow.isDone()).isFalse();
        answers.countDown();
        assertThat(slow.get()).isTrue();
    }

    /** What is folded between the question and the wait must not be missed. */
    @Test
    void aConditionIsCheckedAgainAfterAWakeupInBetween() throws Exception {
        var holds = new AtomicBoolean();
        var checks = new AtomicInteger();
        Future<Boolean> waiting = waiting(
                () -> {
                    boolean before = holds.get();
                    return checks.incrementAndGet() == 1 ? before || !blocked() : before;
                },
                LONG);
        asked.await();
        holds.set(true);
        offsets.wakeWaiters();
        answers.countDown();
        assertThat(waiting.get()).isTrue();
        assertThat(checks).hasValue(2);
    }

    @Test
    void aConditionIsNotCheckedWithoutAWakeup() throws Exception {
        var checks = new AtomicInteger();
        assertThat(offsets.await(() -> checks.incrementAndGet() > 1, Duration.ofMillis(20)))
                .isFalse();
        assertThat(checks).hasValue(1);
    }

    @Test
    void whoeverReadsUnhurriedIsWokenByAWaiter() throws Exception {
        Future<?> reader = reader();
        var read = new AtomicBoolean();
        Future<Boolean> waiter = waiting(read::get, LONG);
        assertThat(reader).succeedsWithin(LONG);
        read.set(true);
        offsets.wakeWaiters();
        assertThat(waiter).succeedsWithin(LONG).isEqualTo(true);
    }

    @Test
    void whoeverReadsUnhurriedDoesNotPauseWhileSomebodyFollows() throws Exception {
        Future<?> reader = reader();
        offsets.followed(true);
        assertThat(reader).succeedsWithin(LONG);
        assertThat(reader()).succeedsWithin(LONG);
        offsets.followed(false);
        offsets.awaitWaiter(Duration.ofMillis(1));
    }

    @Test
    void whoeverReadsUnhurriedDoesNotPauseOnceWhereSomebodyAsks() throws Exception {
        Future<?> reader = reader();
        offsets.readSoon();
        assertThat(reader).succeedsWithin(LONG);
        offsets.readSoon();
        assertThat(reader()).as("asked before the pause").succeedsWithin(LONG);
        Future<?> unasked = reader();
        assertThat(unasked).failsWithin(Duration.ofMillis(20));
        offsets.readSoon();
        assertThat(unasked).succeedsWithin(LONG);
    }

    private Future<?> reader() {
        return threads.submit(() -> {
            offsets.awaitWaiter(LONG.multipliedBy(10));
            return true;
        });
    }

    private Future<Boolean> waiting(BooleanSupplier condition, Duration timeout) {
        return threads.submit(() -> offsets.await(condition, timeout));
    }

    /** Returns true once it may answer. */
    private boolean blocked() {
        asked.countDown();
        try {
            return answers.await(LONG.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
