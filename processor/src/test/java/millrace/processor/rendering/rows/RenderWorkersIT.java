package millrace.processor.rendering.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.RenderTask;
import millrace.contracts.commands.SliceRef;
import millrace.contracts.reports.ErrorCode;
import millrace.contracts.reports.ResultCounts;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.topics.ConsumerGroups;
import millrace.contracts.topics.Topics;
import millrace.files.disk.DiskReportStore;
import millrace.files.store.ReportStore;
import millrace.processor.rendering.formats.ParquetFiles;
import millrace.processor.rendering.tasks.ExpiredTasks;
import millrace.processor.rendering.tasks.RenderSettings;
import millrace.processor.rendering.tasks.RenderWorkers;
import millrace.processor.warehouse.TestWarehouse;
import millrace.processor.warehouse.Warehouse;
import millrace.runtime.kafka.KafkaClientFactory;
import millrace.runtime.service.ServiceThreads;
import millrace.runtime.settings.KafkaSettings;
import millrace.testing.TestKafka;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The workers on a real broker, with one partition so that the order of tasks is known. */
class RenderWorkersIT {
    private static final RenderSettings SETTINGS =
            new RenderSettings(2, 1, Duration.ofMinutes(1), Duration.ofMinutes(1), Duration.ofSeconds(30));
    private static final TopicPartition SLICES = new TopicPartition(Topics.SLICES.name(), 0);

    @TempDir
    private Path folder;

    private final List<Throwable> fatal = new CopyOnWriteArrayList<>();
    private final BlockingWarehouse gates = new BlockingWarehouse();
    private MeterRegistry registry = new SimpleMeterRegistry();
    private final AtomicBoolean room = new AtomicBoolean(true);
    private TestKafka kafka;
    private KafkaSettings settings;
    private LedgerStub ledger;
    private ReportStore store;
    private Warehouse warehouse;

    @BeforeEach
    void start() throws Exception {
        kafka = TestKafka.withTopics(1);
        settings = KafkaSettings.local(kafka.bootstrapServers(), 1, "test");
        ledger = new LedgerStub(settings);
        store = new DiskReportStore(folder.resolve("files"), false);
        warehouse = new TestWarehouse(folder.resolve("warehouse"))
                .with("keywords", "v1", "VALUES ('k','US','2026-01-01','monthly',5,1,1,1,1)")
                .open();
        gates.open(warehouse);
    }

    @AfterEach
    void stop() {
        gates.release();
        ledger.close();
        warehouse.close();
        kafka.close();
    }

    @Test
    void tasksAreAnsweredAndCommitted() throws Exception {
        try (var workers = workers(SETTINGS)) {
            ledger.send(Topics.SMALL_REPORTS, slice(0, "v1"));
            ledger.send(Topics.SLICES, slice(1, "v1"), slice(2, "v0"));
            ledger.sendNonsense(Topics.SLICES);
            AccountCommand.SliceDone report = done(ledger.next(0));
            StoredFile small = report.file();
            StoredFile part = done(ledger.next(1)).file();
            assertThat(ledger.next(2))
                    .usingRecursiveComparison()
                    .ignoringFields("cause")
                    .isEqualTo(new AccountCommand.SliceFailed(
                            ref(2), ErrorCode.DATASET_UNAVAILABLE, "The data could not be read."));
            assertThat(report.counts()).isEqualTo(new ResultCounts(1, 1, 0));
            assertThat(small.name()).startsWith(SampleTasks.REPORT + "/1/0-");

            ledger.send(Topics.SLICES, new RenderTask.Assemble("acme", ref(SliceRef.ASSEMBLY), List.of(part, small)));
            StoredFile whole = ((AccountCommand.Assembled) ledger.next(SliceRef.ASSEMBLY)).file();
            assertThat(whole.size()).isEqualTo(part.size() + small.size());
            // The parts are the ledger's, which hands out their deletion.
            assertThat(store.list()).containsExactlyInAnyOrder(whole.name(), part.name(), small.name());
            await().untilAsserted(() -> assertThat(ledger.committed(SLICES)).isEqualTo(new OffsetAndMetadata(4, "")));
        }
        assertThat(fatal).isEmpty();
    }

    @Test
    void whatRunsWhenTheWorkersCloseIsRunAgainAndNotBlamed() throws Exception {
        gates.close();
        var first = workers(SETTINGS);
        ledger.send(Topics.SLICES, slice(0, "v1"));
        await().untilAsserted(() -> assertThat(gates.waiting()).isEqualTo(1));
        await().untilAsserted(() -> assertThat(ledger.committed(SLICES)).isEqualTo(new OffsetAndMetadata(0, "0:1")));

        long before = System.nanoTime();
        first.close();
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(2));
        assertThat(ledger.committed(SLICES)).isEqualTo(new OffsetAndMetadata(0, ""));
        assertThat(store.list()).isEmpty();

        gates.release();
        try (var second = workers(SETTINGS)) {
            done(ledger.next(0));
            await().untilAsserted(
                            () -> assertThat(ledger.committed(SLICES).offset()).isEqualTo(1));
        }
    }

    /** Brokers delete offsets after a week without workers. The ledger has handed out lost tasks again. */
    @Test
    void withoutOffsetsOnlyWhatIsNotLostIsRendered() throws Exception {
        Instant lost = Instant.now().minus(Duration.ofDays(1));
        ledger.sendAt(lost.minusSeconds(60), Topics.SLICES, slice(0, "v1"), slice(1, "v1"));
        ledger.send(Topics.SLICES, slice(2, "v1"));
        ExpiredTasks.skip(settings, lost);
        try (var workers = workers(SETTINGS)) {
            done(ledger.next(2));
            await().untilAsserted(() -> assertThat(ledger.committed(SLICES)).isEqualTo(new OffsetAndMetadata(3, "")));
            assertThat(store.list()).hasSize(1);
            ExpiredTasks.skip(settings, Instant.now().plusSeconds(60));
            assertThat(ledger.committed(SLICES)).isEqualTo(new OffsetAndMetadata(3, ""));
        }
    }

    @Test
    void onlyWhatRunsCountsAsStarted() throws Exception {
        gates.close();
        try (var workers = workers(SETTINGS)) {
            ledger.send(Topics.SLICES, slice(0, "v1"), slice(1, "v1"), slice(2, "v1"), slice(3, "v1"));
            await().untilAsserted(() -> assertThat(gates.waiting()).isEqualTo(2));
            await().untilAsserted(
                            () -> assertThat(ledger.committed(SLICES)).isEqualTo(new OffsetAndMetadata(0, "0:1,1:1")));
            gates.release();
            for (int slice = 0; slice < 4; slice++) {
                done(ledger.next(slice));
            }
        }
    }

    @Test
    void nothingBeginsWhileADiskIsFull() throws Exception {
        gates.close();
        room.set(false);
        try (var workers = workers(SETTINGS)) {
            ledger.send(Topics.SLICES, slice(0, "v1"));
            await().until(() -> registry.get("millrace.render.waiting.tasks")
                            .tag("lane", "slices")
                            .gauge()
                            .value()
                    == 1);
            assertThat(gates.waiting()).isZero();
            room.set(true);
            await().until(() -> gates.waiting() == 1);
            gates.release();
            done(ledger.next(0));
        }
        assertThat(fatal).isEmpty();
    }

    @Test
    void aLongSliceSaysThatItIsAlive() throws Exception {
        gates.close();
        try (var workers = workers(
                new RenderSettings(1, 1, Duration.ofMinutes(1), Duration.ofMillis(200), Duration.ofSeconds(30)))) {
            ledger.send(Topics.SLICES, slice(0, "v1"));
            assertThat(ledger.next(0)).isEqualTo(new AccountCommand.SliceRunning(ref(0), 0));
            assertThat(ledger.next(0)).isInstanceOf(AccountCommand.SliceRunning.class);
            gates.release();
            AccountCommand answer = ledger.next(0);
            while (answer instanceof AccountCommand.SliceRunning) {
                answer = ledger.next(0);
            }
            done(answer);
        }
    }

    @Test
    void aSliceThatTakesTooLongFailsAndLeavesNoFile() throws Exception {
        gates.close();
        var shortTimeout =
                new RenderSettings(1, 1, Duration.ofMillis(300), Duration.ofMinutes(1), Duration.ofSeconds(30));
        try (var workers = workers(shortTimeout)) {
            ledger.send(Topics.SLICES, slice(0, "v1"), slice(1, "v1"));
            assertThat(ledger.next(0)).isInstanceOf(AccountCommand.SliceFailed.class);
            gates.release();
            assertThat(ledger.next(1)).isNotNull();
        }
        await().untilAsserted(() -> assertThat(store.list()).allMatch(name -> name.contains("/1-")));
    }

    @Test
    void aSliceThatWasStartedFourTimesIsGivenUpAndItsNeighboursAreNot() throws Exception {
        ledger.send(Topics.SLICES, slice(0, "v1"), slice(1, "v1"), slice(2, "v1"), slice(3, "v1"));
        try (Admin admin = Admin.create(settings.clientConfig())) {
            admin.alterConsumerGroupOffsets(
                            ConsumerGroups.RENDERERS, Map.of(SLICES, new OffsetAndMetadata(0, "1:4,2:3,3:2")))
                    .all()
                    .get();
        }
        try (var workers = workers(SETTINGS)) {
            done(ledger.next(0));
            assertThat(ledger.next(1))
                    .isEqualTo(new AccountCommand.SliceFailed(
                            ref(1), ErrorCode.RENDER_FAILED, "Rendering ended its worker 4 times.", true));
            done(ledger.next(2));
            done(ledger.next(3));
            assertThat(gates.mostAtOnceAfter(1)).isEqualTo(1);
            await().untilAsserted(() -> assertThat(ledger.committed(SLICES)).isEqualTo(new OffsetAndMetadata(4, "")));
        }
    }

    @Test
    void aSmallReportDoesNotWaitForLargeOnes() throws Exception {
        gates.close();
        try (var workers = workers(SETTINGS)) {
            ledger.send(Topics.SLICES, slice(1, "v1"), slice(2, "v1"), slice(3, "v1"));
            await().untilAsserted(() -> assertThat(gates.waiting()).isEqualTo(2));
            gates.letPass(0);
            ledger.send(Topics.SMALL_REPORTS, slice(0, "v1"));
            done(ledger.next(0));
            gates.release();
            done(skipRunning(1));
        }
    }

    private RenderWorkers workers(RenderSettings render) {
        registry = new SimpleMeterRegistry(); // as of a process of its own
        var renderer =
                new SliceRenderer(TestWarehouse.CATALOG, gates, store, new ParquetFiles(folder.resolve("parquet")));
        var runner = new TaskRenderer(renderer, store, ServiceThreads.ofMachine(), UUID::randomUUID);
        var tools = new RenderWorkers.Tools(
                runner, KafkaClientFactory.ofKafka(), ServiceThreads.ofMachine(), room::get, registry);
        return RenderWorkers.start(settings, render, tools, fatal::add);
    }

    private static RenderTask slice(int number, String version) {
        List<String> entity = List.of("k", "s" + number);
        return SampleTasks.of("keywords", entity, List.of("US"), "all_keyword_monthly_search_volume")
                .task(ref(number), version);
    }

    private static SliceRef ref(int slice) {
        return new SliceRef(SampleTasks.REPORT, 1, slice, 1);
    }

    private AccountCommand skipRunning(int slice) {
        AccountCommand answer = ledger.next(slice);
        while (answer instanceof AccountCommand.SliceRunning) {
            answer = ledger.next(slice);
        }
        return answer;
    }

    private static AccountCommand.SliceDone done(AccountCommand answer) {
        assertThat(answer).isInstanceOf(AccountCommand.SliceDone.class);
        return (AccountCommand.SliceDone) answer;
    }
}
