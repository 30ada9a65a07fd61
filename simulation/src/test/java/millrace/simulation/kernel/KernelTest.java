package millrace.simulation.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KernelTest {
    private static final Duration LONG = Duration.ofHours(1);

    private final Scheduler scheduler = new Scheduler(1);
    private final SimulatedProcess process = scheduler.process("a");
    private final List<String> log = new ArrayList<>();

    @AfterEach
    void close() {
        scheduler.close();
    }

    @Test
    void oneSeedHasOneTrace() {
        assertThat(MixedThreadsRun.hash(7)).isEqualTo(MixedThreadsRun.hash(7)).isNotEqualTo(MixedThreadsRun.hash(8));
    }

    @Test
    void oneSeedHasOneTraceInTwoJvms() throws Exception {
        assertThat(ForkedJvm.output(MixedThreadsRun.class, "7")).isEqualTo(Long.toString(MixedThreadsRun.hash(7)));
    }

    @Test
    void seedsInterleaveThreadsDifferently() {
        Set<String> orders = new TreeSet<>();
        for (int seed = 0; seed < 50; seed++) {
            try (var other = new Scheduler(seed)) {
                SimulatedProcess b = other.process("b");
                List<String> order = new ArrayList<>();
                for (String name : List.of("x", "y", "z")) {
                    b.threads().virtual().start(() -> order.add(name));
                }
                other.run(() -> order.size() == 3, LONG);
                orders.add(String.join("", order));
            }
        }
        assertThat(orders).hasSize(6);
    }

    @Test
    void timePassesWhileAllWait() {
        process.threads().virtual().start(() -> {
            sleep(Duration.ofMinutes(5));
            log.add("slept");
        });
        scheduler.after(Duration.ofMinutes(4), () -> log.add("event"));
        Instant began = scheduler.now();
        assertThat(scheduler.run(() -> log.size() == 2, LONG)).isTrue();
        assertThat(log).containsExactly("event", "slept");
        assertThat(Duration.between(began, scheduler.now())).isBetween(Duration.ofMinutes(5), Duration.ofMinutes(6));
    }

    @Test
    void runEndsWhenItsTimeHasPassed() {
        assertThat(scheduler.run(() -> false, Duration.ofSeconds(3))).isFalse();
        assertThat(scheduler.nanos()).isEqualTo(Duration.ofSeconds(3).toNanos());
    }

    @Test
    void aParkedThreadIsWokenBeforeItsTime() {
        Thread parked = process.threads().virtual().start(() -> {
            process.threads().parkNanos(Duration.ofMinutes(1).toNanos());
            log.add(scheduler.nanos() < Duration.ofSeconds(2).toNanos() ? "early" : "late");
        });
        scheduler.after(Duration.ofSeconds(1), () -> LockSupport.unpark(parked));
        scheduler.run(() -> log.size() == 1, LONG);
        assertThat(log).containsExactly("early");
    }

    @Test
    void queuesAndExecutorsOfTheJdkWork() {
        var queue = new LinkedBlockingQueue<String>();
        ExecutorService executor = Executors.newFixedThreadPool(
                2, process.threads().platform().name("pool-", 0).factory());
        executor.execute(() -> {
            try {
                log.add(queue.take());
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        executor.execute(() -> queue.add("taken"));
        scheduler.run(() -> log.size() == 1, LONG);
        assertThat(log).containsExactly("taken");
    }

    @Test
    void aKilledProcessDoesNothingAnyMore() {
        process.threads().virtual().start(() -> {
            try {
                sleep(Duration.ofSeconds(2));
                log.add("slept");
            } finally {
                log.add("finally");
            }
        });
        process.onKilled(() -> log.add("killed"));
        scheduler.after(Duration.ofSeconds(1), process::kill);
        scheduler.run(() -> false, LONG);
        assertThat(log).containsExactly("killed");
        assertThat(process.alive()).isFalse();
        assertThatThrownBy(process::mayYield).isInstanceOf(ProcessKilled.class);
    }

    @Test
    void aThreadThatKillsItsOwnProcessEndsThere() {
        process.threads().virtual().start(() -> {
            try {
                process.kill();
                log.add("after");
            } catch (Error e) {
                log.add("caught");
            } finally {
                log.add("finally");
            }
        });
        scheduler.run(() -> false, LONG);
        assertThat(log).isEmpty();
    }

    @Test
    void aPausedProcessGoesOnWhenItIsResumed() {
        process.threads().virtual().start(() -> {
            sleep(Duration.ofSeconds(2));
            log.add("slept");
        });
        scheduler.after(Duration.ofSeconds(1), process::pause);
        scheduler.after(Duration.ofSeconds(10), () -> {
            log.add("resumed");
            process.resume();
        });
        scheduler.run(() -> log.size() == 2, LONG);
        assertThat(log).containsExactly("resumed", "slept");
    }

    @Test
    void anExceptionOfASimulatedThreadEndsTheRun() {
        var error = new IllegalStateException("broken");
        process.threads().virtual().start(() -> {
            throw error;
        });
        assertThatThrownBy(() -> scheduler.run(() -> false, LONG))
                .isInstanceOf(SimulatedThreadFailure.class)
                .hasCause(error);
    }

    @Test
    void aFailedCheckEndsTheRun() {
        scheduler.afterEachStep(() -> assertThat(log).isEmpty());
        process.threads().virtual().start(() -> log.add("x"));
        assertThatThrownBy(() -> scheduler.run(() -> false, LONG)).isInstanceOf(AssertionError.class);
    }

    @Test
    void aThreadThatWaitsByTheMachinesClockIsFound() {
        // Repeated, since a timeout that ends before the thread has parked takes another path.
        process.threads().virtual().start(() -> {
            while (true) {
                LockSupport.parkNanos(1_000_000);
            }
        });
        await().pollInSameThread()
                .untilAsserted(() -> assertThatThrownBy(() -> scheduler.run(() -> false, Duration.ofMillis(1)))
                        .hasRootCauseInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("woken from outside"));
    }

    @Test
    void timersThatAreCancelledDoNotPassTime() {
        scheduler.timer(1_000, () -> log.add("x")).cancel();
        for (int i = 0; i < 1_000; i++) {
            scheduler.timer(2_000 + i, () -> log.add("y")).cancel();
        }
        scheduler.after(Duration.ofSeconds(1), () -> log.add("z"));
        scheduler.run(() -> !log.isEmpty(), LONG);
        assertThat(log).containsExactly("z");
    }

    @Test
    void theTraceKeepsItsLastLines() {
        for (int i = 0; i < 3_000; i++) {
            scheduler.trace().add("line " + i);
        }
        assertThat(scheduler.trace().tail(2)).containsExactly("0 line 2998", "0 line 2999");
        assertThat(scheduler.trace().tail(10_000)).hasSize(2_000);
    }

    private void sleep(Duration time) {
        try {
            process.threads().sleep(time);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
