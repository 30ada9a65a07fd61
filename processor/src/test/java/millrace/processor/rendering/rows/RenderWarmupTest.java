package millrace.processor.rendering.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import millrace.processor.warehouse.TestWarehouse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RenderWarmupTest {
    @TempDir
    private Path folder;

    @Test
    void rendersWhatHasDataAndLeavesNothing() throws Exception {
        var data = new TestWarehouse(folder.resolve("warehouse"))
                .with(
                        "demographics",
                        "v1",
                        "VALUES ('b.example','US','2026-01-01','65+','Male','monthly',false, 0.5, 60, 0.25, 1.5)");
        Path files = folder.resolve("warmup");
        try (var warehouse = data.open()) {
            assertThat(RenderWarmup.run(TestWarehouse.CATALOG, warehouse, data.folder(), files))
                    .isEqualTo(1);
        }
        try (Stream<Path> left = Files.walk(files)) {
            assertThat(left.filter(Files::isRegularFile)).isEmpty();
        }
    }
}
