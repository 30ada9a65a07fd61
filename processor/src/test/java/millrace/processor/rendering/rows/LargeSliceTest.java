package millrace.processor.rendering.rows;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import millrace.contracts.reports.ResultCounts;
import millrace.processor.warehouse.TestWarehouse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Slices with more rows than one statement reads, and more than a report may have. */
class LargeSliceTest {
    @TempDir
    private Path folder;

    @Test
    void aWarehouseWithTooManyRowsNeverExceedsTheEstimate() throws Exception {
        String twice =
                "SELECT 'a.example','US',DATE '2026-01-01' + CAST(d AS INTEGER),'x' || n || '.example','monthly',false,1,1,1,1"
                        + " FROM range(0, 60) a(d), range(1000, 1150) b(n)";
        var data = new TestWarehouse(folder.resolve("warehouse")).with("audience_interests", "v1", twice, twice);
        var task = SampleTasks.of(
                "audience_interests", List.of("a.example"), List.of("US"), "desktop_audience_interests_affinity");

        // Two months were asked for and there are 60 dates; 100 domains per month are the most, and each is there
        // twice.
        assertThat(RenderedText.of(data, task, folder.resolve("files")).counts())
                .isEqualTo(new ResultCounts(200, 200, 0));
    }

    @Test
    void manyEntitiesAreReadInPartsAndStayInOrder() throws Exception {
        var data = new TestWarehouse(folder.resolve("warehouse"))
                .with(
                        "keywords",
                        "v1",
                        "SELECT 'k' || i,'US',DATE '2026-01-01','monthly',i,i,i,i,i FROM range(10000, 13000) t(i)");
        List<String> keywords =
                IntStream.range(10000, 13000).mapToObj(i -> "k" + i).toList();
        RenderedText rendered = RenderedText.of(
                data,
                SampleTasks.of("keywords", keywords, List.of("US"), "all_keyword_volume"),
                folder.resolve("files"));

        assertThat(rendered.counts()).isEqualTo(new ResultCounts(3000, 3000, 0));
        assertThat(rendered.csv().lines().skip(1).map(l -> l.substring(0, 6))).isEqualTo(keywords);
    }
}
