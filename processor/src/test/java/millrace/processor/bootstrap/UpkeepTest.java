package millrace.processor.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class UpkeepTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private final CountDownLatch started = new CountDownLatch(1);
    private final CompletableFuture<Boolean> interrupted = new CompletableFuture<>();

    @Test
    void closeWaitsForTheTaskThatRunsAndDoesNotInterruptIt() throws Exception {
        var upkeep = new Upkeep(LONG);
        var end = new CountDownLatch(1);
        upkeep.repeat(() -> waitFor(end), Duration.ZERO, LONG);
        started.await();
        upkeep.stop();
        Thread closing = Thread.ofVirtual().start(upkeep::close);
        // The wait is over at once where close interrupts.
        assertThat(closing.join(Duration.ofMillis(100))).isFalse();
        end.countDown();
        closing.join();
        assertThat(interrupted.get(1, TimeUnit.MINUTES)).isFalse();
    }

    @Test
    void closeInterruptsATaskThatOutlastsTheTimeout() throws Exception {
        var upkeep = new Upkeep(Duration.ofMillis(10));
        upkeep.repeat(() -> waitFor(new CountDownLatch(1)), Duration.ZERO, LONG);
        started.await();
        upkeep.close();
        assertThat(interrupted.get(1, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void aTaskThatFailsIsRepeated() throws Exception {
        var runs = new CountDownLatch(2);
        try (var upkeep = new Upkeep(LONG)) {
            upkeep.repeat(
                    () -> {
                        runs.countDown();
                        throw new IllegalStateException("expected by the test");
                    },
                    Duration.ZERO,
                    Duration.ofMillis(1));
            assertThat(runs.await(1, TimeUnit.MINUTES)).isTrue();
        }
    }

    private void waitFor(CountDownLatch end) {
        started.countDown();
        try {
            end.await();
            interrupted.complete(false);
        } catch (InterruptedException e) {
            interrupted.complete(true);
        }
    }
}
