package millrace.processor.rendering.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.RenderTask;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.reports.StoredFile;
import millrace.processor.TestThreads;
import millrace.processor.ledger.decide.LedgerSamples;
import millrace.processor.ledger.streams.HandedTaskSamples;
import millrace.processor.ledger.streams.LocalWorkers;
import millrace.processor.rendering.tasks.TaskRunner.RunningTask;
import millrace.runtime.service.ServiceThreads;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The tests end the runs. */
class MemoryWorkersTest {
    private final Gates gates = new Gates();
    private final SuspectIsolation isolation = new SuspectIsolation();
    private final List<AccountCommand> answers = new CopyOnWriteArrayList<>();
    private final List<Throwable> broken = new CopyOnWriteArrayList<>();
    private volatile boolean room = true;
    private volatile Instant wall = Instant.parse("2026-11-02T12:00:00Z");
    private final AtomicLong nanos = new AtomicLong();
    private final MemoryWorkers workers = new MemoryWorkers(
            new RenderSettings(1, 1, Duration.ofMinutes(1), Duration.ofSeconds(5), Duration.ofSeconds(30)),
            new LaneMetrics(
                    new SimpleMeterRegistry(),
                    "test",
                    ServiceThreads.ofMachine().clock()),
            new TaskThreads.Tools(gates, isolation, threads(), broken::add),
            () -> room);

    @AfterEach
    void end() {
        gates.openAll();
        workers.close();
        assertThat(broken).isEmpty();
    }

    @Test
    void aWallClockThatIsSetForwardIsNoThreadThatHangs() {
        LocalWorkers.Run run = Objects.requireNonNull(take("acme", "withdrawn"));
        await().until(() -> gates.begun.contains(id("withdrawn")));
        run.withdraw();
        wall = wall.plus(Duration.ofHours(8));
        take("acme", "next");
        assertThat(broken).isEmpty();
        nanos.addAndGet(Duration.ofMinutes(2).toNanos());
        take("acme", "another");
        assertThat(broken).singleElement().asString().contains("its thread does not end");
        broken.clear();
    }

    @Test
    void accountsTakeTurns() {
        take("flood", "running");
        await().until(() -> gates.begun.size() == 1);
        take("flood", "second");
        take("flood", "third");
        take("quiet", "first of another");
        gates.openAll();
        await().until(() -> answers.size() == 4);
        assertThat(gates.begun).containsExactly(id("running"), id("first of another"), id("second"), id("third"));
    }

    @Test
    void theFileOfARunThatWasWithdrawnIsDeleted() {
        LocalWorkers.Run run = Objects.requireNonNull(take("acme", "late"));
        await().until(() -> gates.begun.contains(id("late")));
        run.withdraw();
        gates.openAll();
        await().until(() -> !gates.discarded.isEmpty());
        await().until(() -> isolation.enterAlone("suspect"));
        assertThat(answers).isEmpty();
    }

    @Test
    void whatIsWithdrawnBeforeItBeginsNeverRuns() {
        take("acme", "first");
        Objects.requireNonNull(take("acme", "second")).withdraw();
        gates.openAll();
        await().until(() -> isolation.enterAlone("suspect"));
        assertThat(gates.begun).containsExactly(id("first"));
    }

    /** Else a suspect could be blamed for what another task does. */
    @Test
    void nothingRunsBesideASuspect() {
        assertThat(isolation.enterAlone("suspect")).isTrue();
        assertThat(take("acme", "a")).isNull();
        isolation.leave("suspect");
        assertThat(take("acme", "a")).isNotNull();
        assertThat(isolation.enterAlone("suspect")).isFalse();
        gates.openAll();
        await().until(() -> isolation.enterAlone("suspect"));
    }

    @Test
    void withoutRoomOnTheDisksNothingIsTaken() {
        room = false;
        assertThat(take("acme", "a")).isNull();
        assertThat(isolation.enterAlone("suspect")).isTrue();
    }

    @Test
    void nothingIsTakenAfterTheEnd() {
        workers.close();
        assertThat(take("acme", "a")).isNull();
        assertThat(isolation.enterAlone("suspect")).isTrue();
    }

    private LocalWorkers.@Nullable Run take(String account, String report) {
        return workers.take(HandedTaskSamples.of(account, report, 1), answers::add);
    }

    private ServiceThreads threads() {
        return new TestThreads() {
            @Override
            public InstantSource clock() {
                return () -> wall;
            }

            @Override
            public long nanoTime() {
                return nanos.get();
            }
        };
    }

    private static UUID id(String report) {
        return LedgerSamples.id(report);
    }

    /** Holds each run until its gate is open, also where its thread is interrupted at the end. */
    private static final class Gates implements TaskRunner {
        private final Map<UUID, CountDownLatch> gates = new ConcurrentHashMap<>();
        private final List<UUID> begun = new CopyOnWriteArrayList<>();
        private final List<AccountCommand> discarded = new CopyOnWriteArrayList<>();
        private volatile boolean open;

        void openAll() {
            open = true;
            gates.values().forEach(CountDownLatch::countDown);
        }

        @Override
        public AccountCommand run(RenderTask task, Consumer<RunningTask> running) {
            UUID report = task.slice().reportId();
            CountDownLatch gate = gates.computeIfAbsent(report, r -> new CountDownLatch(1));
            begun.add(report);
            while (!open && gate.getCount() > 0) {
                try {
                    gate.await();
                } catch (InterruptedException e) {
                    // goes on
                }
            }
            return new AccountCommand.SliceDone(task.slice(), new StoredFile("file", 1, "00"), ResultCounts.NONE);
        }

        @Override
        public void discard(AccountCommand answer) {
            discarded.add(answer);
        }
    }
}
