package millrace.processor.rendering.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.RenderTask;
import millrace.contracts.commands.SliceRef;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.topics.Topics;
import millrace.processor.TestThreads;
import millrace.processor.rendering.rows.SampleTasks;
import millrace.processor.rendering.tasks.TaskRunner.RunningTask;
import millrace.runtime.kafka.KafkaClientFactory;
import millrace.runtime.service.ServiceThreads;
import millrace.runtime.settings.KafkaSettings;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The tests move the clock, end tasks and acknowledge answers. */
class LaneWorkersTest {
    private static final RenderSettings SETTINGS =
            new RenderSettings(2, 2, Duration.ofMinutes(10), Duration.ofMinutes(1), Duration.ofSeconds(30));

    private final MockProducer<String, byte[]> producer =
            new MockProducer<>(false, null, new StringSerializer(), new ByteArraySerializer());
    private final List<Throwable> fatal = new CopyOnWriteArrayList<>();
    private final Gates gates = new Gates();
    private final SuspectIsolation isolation = new SuspectIsolation();
    private volatile Instant wall = Instant.parse("2026-11-02T12:00:00Z");
    private final AtomicLong nanos = new AtomicLong();
    private final LaneWorkers workers = workers();

    @AfterEach
    void end() {
        gates.openAll();
        workers.close();
    }

    @Test
    void aSuspectKeepsItsPlaceUntilItsEndIsDurable() {
        QueuedTask suspect = task(0);
        assertThat(isolation.enterAlone(suspect)).isTrue();
        workers.run(suspect);
        gates.open(0);
        await().until(() -> producer.history().size() == 1);
        await().until(() -> !isBusyButForAnswers());
        assertThat(isolation.enter("sent"))
                .as("its answer is sent, and not acknowledged")
                .isFalse();

        producer.completeNext();
        List<TaskRun> acknowledged = workers.answers().acknowledged();
        assertThat(acknowledged).extracting(TaskRun::queued).containsExactly(suspect);
        assertThat(isolation.enter("acknowledged"))
                .as("its answer is acknowledged, and its offset not committed")
                .isFalse();

        acknowledged.forEach(workers::settled);
        assertThat(isolation.enter("settled")).isTrue();
    }

    @Test
    void aSuspectWhoseTimeIsOverKeepsItsPlaceWhileItsThreadGoesOn() {
        QueuedTask suspect = task(0);
        assertThat(isolation.enterAlone(suspect)).isTrue();
        workers.run(suspect);
        await().until(() -> gates.begun(0));
        pass(Duration.ofMinutes(11));
        workers.watch();
        producer.completeNext();
        workers.answers().acknowledged().forEach(workers::settled);
        assertThat(isolation.enter("other")).isFalse();

        gates.open(0);
        await().until(() -> isolation.enter("other"));
    }

    @Test
    void whatWaitsBehindLongTasksIsTakenBackAndNeverRuns() {
        List<QueuedTask> all = List.of(task(0), task(1), task(2), task(3));
        all.forEach(task -> assertThat(isolation.enter(task)).isTrue());
        all.forEach(workers::run);
        await().until(() -> gates.begun(0) && gates.begun(1));
        assertThat(workers.takeBack()).isEmpty();

        pass(Duration.ofMillis(101));
        assertThat(workers.takeBack()).containsExactly(all.get(2), all.get(3));
        assertThat(workers.takeBack()).isEmpty();
        assertThat(workers.hasRoom(0)).isFalse();

        gates.openAll();
        await().until(() -> workers.hasRoom(3));
        assertThat(gates.begun(2) || gates.begun(3)).isFalse();
        assertThat(producer.history()).hasSize(2);
    }

    /** Its first run still waits for a thread when it enters the isolation for the second one. */
    @Test
    void theEndOfARunThatWasTakenBackDoesNotEndTheNextOne() {
        List<QueuedTask> all = List.of(task(0), task(1), task(2));
        all.forEach(task -> assertThat(isolation.enter(task)).isTrue());
        all.forEach(workers::run);
        await().until(() -> gates.begun(0) && gates.begun(1));
        pass(Duration.ofMillis(101));
        assertThat(workers.takeBack()).containsExactly(all.get(2));
        assertThat(isolation.enter(all.get(2))).isTrue();

        gates.openAll();
        await().until(() -> workers.hasRoom(3));
        producer.history().forEach(answer -> producer.completeNext());
        workers.answers().acknowledged().forEach(workers::settled);
        assertThat(isolation.enterAlone("suspect")).isFalse();
        isolation.leave(all.get(2));
        assertThat(isolation.enterAlone("suspect")).isTrue();
    }

    @Test
    void aThreadThatDoesNotEndShowsAndThenEndsTheProcess() {
        QueuedTask task = task(0);
        workers.run(task);
        await().until(() -> gates.begun(0));
        pass(Duration.ofMinutes(10).plusMillis(1));
        workers.watch();
        assertThat(workers.hanging()).isFalse();
        pass(Duration.ofSeconds(6));
        workers.watch();
        assertThat(workers.hanging()).isTrue();
        assertThat(fatal).isEmpty();
        pass(Duration.ofSeconds(25));
        workers.watch();
        assertThat(fatal).singleElement().asString().contains("its thread does not end");
    }

    @Test
    void aThreadThatEndsLateHarmsNobody() {
        workers.run(task(0));
        await().until(() -> gates.begun(0));
        pass(Duration.ofMinutes(11));
        workers.watch();
        pass(Duration.ofSeconds(6));
        gates.open(0);
        await().until(() -> !workers.hanging());
        pass(Duration.ofMinutes(1));
        workers.watch();
        assertThat(fatal).isEmpty();
    }

    /** A sixth of the grace is over before a task counts as hanging. */
    @Test
    void aLongerGraceIsWaitedFor() {
        LaneWorkers longTimeout =
                workers(new RenderSettings(2, 2, Duration.ofMinutes(10), Duration.ofMinutes(1), Duration.ofMinutes(5)));
        longTimeout.run(task(0));
        await().until(() -> gates.begun(0));
        pass(Duration.ofMinutes(11));
        longTimeout.watch();
        pass(Duration.ofSeconds(49));
        assertThat(longTimeout.hanging()).isFalse();
        pass(Duration.ofSeconds(2));
        assertThat(longTimeout.hanging()).isTrue();
        pass(Duration.ofMinutes(4));
        longTimeout.watch();
        assertThat(fatal).isEmpty();
        pass(Duration.ofSeconds(10));
        longTimeout.watch();
        assertThat(fatal).hasSize(1);
        longTimeout.close();
    }

    /** Or a machine that was suspended. */
    @Test
    void aWallClockThatIsSetEndsNothingAndHoldsBackNoHeartbeat() {
        workers.run(task(0));
        await().until(() -> gates.begun(0));
        wall = wall.plus(Duration.ofHours(8));
        workers.watch();
        assertThat(producer.history()).isEmpty();
        wall = wall.minus(Duration.ofHours(9));
        pass(SETTINGS.heartbeat());
        workers.watch();
        await().untilAsserted(
                        () -> assertThat(producer.history()).singleElement().satisfies(heartbeat -> assertThat(
                                        Topics.ACCOUNT_COMMANDS.decode(heartbeat.value()))
                                .isInstanceOf(AccountCommand.SliceRunning.class)));
    }

    private boolean isBusyButForAnswers() {
        return !workers.hasRoom(3);
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    private static QueuedTask task(int slice) {
        RenderTask task = SampleTasks.of("keywords", List.of("k"), List.of("US"), "all_keyword_monthly_search_volume")
                .task(new SliceRef(SampleTasks.REPORT, 1, slice, 1), SampleTasks.VERSION);
        return new QueuedTask(task, 0, null, 100, new TopicPartition("slices", 0), slice);
    }

    private LaneWorkers workers() {
        return workers(SETTINGS);
    }

    private LaneWorkers workers(RenderSettings settings) {
        var answers = new AnswerProducer(KafkaSettings.local("nowhere:1", 1, "test"), clients(), fatal::add);
        var metrics = new LaneMetrics(new SimpleMeterRegistry(), "test", clock());
        var tools = new TaskThreads.Tools(gates, isolation, threads(), fatal::add);
        return new LaneWorkers(new LaneWorkers.Crew("test", 2, 2, true, metrics), settings, tools, answers);
    }

    private InstantSource clock() {
        return () -> wall;
    }

    private ServiceThreads threads() {
        return new TestThreads() {
            @Override
            public InstantSource clock() {
                return LaneWorkersTest.this.clock();
            }

            @Override
            public long nanoTime() {
                return nanos.get();
            }
        };
    }

    private KafkaClientFactory clients() {
        return new KafkaClientFactory() {
            @Override
            public org.apache.kafka.clients.consumer.Consumer<String, byte[]> consumer(Map<String, Object> config) {
                throw new UnsupportedOperationException();
            }

            @Override
            public Producer<String, byte[]> producer(Map<String, Object> config) {
                return producer;
            }

            @Override
            public Admin admin(Map<String, Object> config) {
                throw new UnsupportedOperationException();
            }
        };
    }

    /** Blocks each task until its gate is open, also when the thread is interrupted. */
    private static final class Gates implements TaskRunner {
        private final Map<Integer, CountDownLatch> gates = new ConcurrentHashMap<>();
        private final List<Integer> begun = new CopyOnWriteArrayList<>();

        void open(int slice) {
            gate(slice).countDown();
        }

        void openAll() {
            for (int slice = 0; slice < 4; slice++) {
                open(slice);
            }
        }

        boolean begun(int slice) {
            return begun.contains(slice);
        }

        private CountDownLatch gate(int slice) {
            return gates.computeIfAbsent(slice, s -> new CountDownLatch(1));
        }

        /** Blocks as a call that cannot be interrupted. */
        private void pass(int slice) {
            CountDownLatch gate = gate(slice);
            while (gate.getCount() > 0) {
                try {
                    gate.await();
                } catch (InterruptedException e) {
                    // goes on
                }
            }
        }

        @Override
        public AccountCommand run(RenderTask task, Consumer<RunningTask> running) {
            begun.add(task.slice().slice());
            pass(task.slice().slice());
            return new AccountCommand.SliceDone(task.slice(), new StoredFile("file", 1, "00"), ResultCounts.NONE);
        }

        @Override
        public void discard(AccountCommand answer) {}
    }
}
