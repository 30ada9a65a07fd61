package millrace.processor.rendering;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.SliceRef;
import millrace.contracts.reports.ErrorCode;
import millrace.files.disk.DiskReportStore;
import millrace.processor.rendering.format.ParquetFiles;
import millrace.processor.warehouse.RowStream;
import millrace.processor.warehouse.SliceQuery;
import millrace.processor.warehouse.TestWarehouse;
import millrace.processor.warehouse.Warehouse;
import millrace.processor.warehouse.WarehouseException;
import millrace.runtime.service.ServiceThreads;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
