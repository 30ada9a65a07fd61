package millrace.processor.rendering.rows;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.SliceRef;
import millrace.contracts.reports.ErrorCode;
import millrace.files.disk.DiskReportStore;
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

    private AccountCommand.SliceFailed answer(Duration pause, int dispatch) throws IOException {
        var store = new DiskReportStore(folder, false);
        var renderer = new SliceRenderer(
                TestWarehouse.CATALOG, new UnavailableWarehouse(pause), store, new ParquetFiles(folder));
        var runner = new TaskRenderer(renderer, store, ServiceThreads.ofMachine(), UUID::randomUUID);
        var task = SampleTasks.of("keywords", List.of("k"), List.of("US"), "all_keyword_monthly_search_volume")
                .task(new SliceRef(SampleTasks.REPORT, 1, 0, dispatch), SampleTasks.VERSION);
        return (AccountCommand.SliceFailed) runner.run(task, running -> {});
    }
}
