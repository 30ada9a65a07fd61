package millrace.processor.rendering.rows;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import millrace.contracts.Json;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.RenderTask;
import millrace.contracts.commands.SliceRef;
import millrace.contracts.reports.ErrorCode;
import millrace.contracts.reports.ReportEvent.QuerySummary;
import millrace.contracts.reports.ReportManifest;
import millrace.contracts.reports.ReportPart;
import millrace.contracts.reports.StoredFile;
import millrace.contracts.requests.ReportQuery;
import millrace.files.disk.DiskReportStore;
import millrace.files.store.ReportFileWriter;
import millrace.processor.ledger.decide.LedgerRules;
import millrace.processor.rendering.formats.ParquetFiles;
import millrace.processor.warehouse.RowStream;
import millrace.processor.warehouse.SliceQuery;
import millrace.processor.warehouse.TestWarehouse;
import millrace.processor.warehouse.Warehouse;
import millrace.processor.warehouse.WarehouseException;
import millrace.runtime.service.ServiceThreads;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class TaskRendererTest {
    @TempDir
    private Path folder;

    /** A warehouse whose engine is unavailable. */
    private record UnavailableWarehouse(Duration pause) implements Warehouse {
        @Override
        public RowStream open(SliceQuery query) throws WarehouseException {
            throw WarehouseException.unavailable("unavailable", new IOException("refused"), pause);
        }

        @Override
        public void close() {}
    }

    @Test
    void theAnswerOfAnUnavailableEngineWaits() throws Exception {
        Duration pause = Duration.ofMillis(20);
        for (int dispatch = 1; dispatch <= 2; dispatch++) {
            long start = System.nanoTime();
            assertThat(answer(pause, dispatch).code()).isEqualTo(ErrorCode.DATASET_UNAVAILABLE);
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isGreaterThanOrEqualTo(pause.multipliedBy(dispatch));
        }
    }

    @Test
    void theAnswerSaysWhatWasThrown() throws Exception {
        AccountCommand.SliceFailed answer = answer(Duration.ZERO, 1);
        assertThat(answer.message()).isEqualTo("The data could not be read.");
        assertThat(answer.cause())
                .isEqualTo("millrace.processor.warehouse.WarehouseException: unavailable; caused by"
                        + " java.io.IOException: refused");
    }

    @Test
    void theLastAnswerWaitsForNothing() throws Exception {
        assertThat(answer(Duration.ofDays(1), 3).code()).isEqualTo(ErrorCode.DATASET_UNAVAILABLE);
    }

    @Test
    void whoIsStoppedWaitsNoLonger() throws Exception {
        Thread.currentThread().interrupt();
        assertThat(answer(Duration.ofDays(1), 1).code()).isEqualTo(ErrorCode.DATASET_UNAVAILABLE);
        assertThat(Thread.interrupted()).isTrue();
    }

    /** It is handed out three times; a stack trace of each says the same three times. */
    @Test
    void aSliceThatFailsLeavesOneStackTrace() throws Exception {
        var logger = (Logger) LoggerFactory.getLogger(TaskRenderer.class);
        var events = new ListAppender<ILoggingEvent>();
        events.start();
        logger.addAppender(events);
        try {
            for (int dispatch = 1; dispatch <= LedgerRules.DISPATCHES; dispatch++) {
                answer(Duration.ZERO, dispatch);
            }
        } finally {
            logger.detachAppender(events);
        }
        assertThat(events.list)
                .hasSize(LedgerRules.DISPATCHES)
                .allSatisfy(event -> assertThat(event.getFormattedMessage())
                        .contains("reportId=" + SampleTasks.REPORT, "account=", "java.io.IOException: refused"))
                .filteredOn(event -> event.getThrowableProxy() != null)
                .singleElement()
                .isEqualTo(events.list.getLast());
    }

    /** It says nothing that differs from one run to the next, so that a run after a crash writes the same. */
    @Test
    void aManifestSaysWhatTheColumnsAre() throws Exception {
        var store = new DiskReportStore(folder, false);
        var runner = runner(store, Duration.ZERO);
        ReportQuery query = SampleTasks.of("keywords", List.of(), List.of("US"), "all_keyword_monthly_search_volume")
                .query();
        var parts = List.of(
                ReportPart.of("keywords", 1, "csv", 7, new StoredFile("a", 70, "00")),
                ReportPart.of("keywords", 2, "csv", 0, new StoredFile("b", 20, "01")));
        var manifest = new ReportManifest(
                SampleTasks.REPORT, "keywords", QuerySummary.of(query), "v1", null, "02", 1, 7, List.of(), parts);
        var task = new RenderTask.WriteManifest(
                "acme", new SliceRef(SampleTasks.REPORT, 1, SliceRef.ASSEMBLY, 1), query, manifest);
        StoredFile file = ((AccountCommand.Assembled) runner.run(task, running -> {})).file();
        assertThat(file.name()).startsWith(SampleTasks.REPORT + "/1/manifest-").endsWith(".json");
        ReportManifest written =
                Json.MAPPER.readValue(store.read(file.name(), 0, (int) file.size()), ReportManifest.class);
        assertThat(written)
                .isEqualTo(manifest.with(List.of(new ReportManifest.Table(
                        "keywords",
                        "keywords",
                        List.of(
                                new ReportManifest.Column("keyword", "text", null),
                                new ReportManifest.Column("country", "text", null),
                                new ReportManifest.Column("date", "date", null),
                                new ReportManifest.Column(
                                        "all_keyword_monthly_search_volume",
                                        TestWarehouse.dataset("keywords")
                                                .metric("all_keyword_monthly_search_volume")
                                                .orElseThrow()
                                                .type()
                                                .name()
                                                .toLowerCase(Locale.ROOT),
                                        TestWarehouse.dataset("keywords")
                                                .metric("all_keyword_monthly_search_volume")
                                                .orElseThrow()
                                                .unit()))))));
        StoredFile again = ((AccountCommand.Assembled) runner.run(task, running -> {})).file();
        assertThat(again.name()).isNotEqualTo(file.name());
        assertThat(again.sha256()).isEqualTo(file.sha256());
    }

    @Test
    void aPartIsPutTogetherFromItsSlices() throws Exception {
        var store = new DiskReportStore(folder, false);
        List<StoredFile> slices =
                List.of(write(store, "r/1/2-a.csv.gz", "the"), write(store, "r/1/3-a.csv.gz", " rows"));
        var task = new RenderTask.Assemble("acme", new SliceRef(SampleTasks.REPORT, 1, SliceRef.ofPart(1), 1), slices);
        StoredFile part =
                ((AccountCommand.Assembled) runner(store, Duration.ZERO).run(task, running -> {})).file();
        assertThat(part.name()).startsWith(SampleTasks.REPORT + "/1/part_2-").endsWith(".csv.gz");
        assertThat(store.read(part.name(), 0, (int) part.size()))
                .isEqualTo("the rows".getBytes(StandardCharsets.UTF_8));
    }

    private static StoredFile write(DiskReportStore store, String name, String text) throws IOException {
        try (ReportFileWriter writer = store.create(name)) {
            writer.write(text.getBytes(StandardCharsets.UTF_8));
            return writer.commit();
        }
    }

    private TaskRenderer runner(DiskReportStore store, Duration pause) {
        var renderer = new SliceRenderer(
                TestWarehouse.CATALOG, new UnavailableWarehouse(pause), store, new ParquetFiles(folder));
        return new TaskRenderer(renderer, store, ServiceThreads.ofMachine(), UUID::randomUUID);
    }

    private AccountCommand.SliceFailed answer(Duration pause, int dispatch) throws IOException {
        var store = new DiskReportStore(folder, false);
        var runner = runner(store, pause);
        var task = SampleTasks.of("keywords", List.of("k"), List.of("US"), "all_keyword_monthly_search_volume")
                .task(new SliceRef(SampleTasks.REPORT, 1, 0, dispatch), SampleTasks.VERSION);
        return (AccountCommand.SliceFailed) runner.run(task, running -> {});
    }
}
