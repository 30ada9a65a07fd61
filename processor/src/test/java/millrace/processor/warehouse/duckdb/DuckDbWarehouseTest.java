package millrace.processor.warehouse.duckdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TimeZone;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import millrace.contracts.requests.Granularity;
import millrace.contracts.requests.ReportQuery;
import millrace.processor.warehouse.RowStream;
import millrace.processor.warehouse.SliceQuery;
import millrace.processor.warehouse.TestWarehouse;
import millrace.processor.warehouse.Warehouse;
import millrace.processor.warehouse.WarehouseException;
import millrace.processor.warehouse.WarehouseException.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DuckDbWarehouseTest {
    @TempDir
    private Path root;

    @Test
    void aReportGoesOnWithItsVersionWhileAnotherIsSwitchedIn() throws Exception {
        var data = new TestWarehouse(root).with("keywords", "v1", rows(1));
        try (Warehouse warehouse = data.open();
                RowStream before = warehouse.open(query("v1"))) {
            data.with("keywords", "v2", rows(2));
            try (RowStream after = warehouse.open(query("v2"))) {
                assertThat(after.next()).isTrue();
                assertThat(after.number(3)).isEqualTo(2);
            }
            assertThat(before.next()).isTrue();
            assertThat(before.number(3)).isEqualTo(1);
            assertThat(before.next()).isFalse();
        }
    }

    @Test
    void letsGoOfAVersionThatIsGoneOnceNobodyReadsIt() throws Exception {
        var data = new TestWarehouse(root).with("keywords", "v1", rows(1));
        try (Warehouse warehouse = data.open()) {
            RowStream stream = warehouse.open(query("v1"));
            data.with("keywords", "v2", rows(2));
            assertThat(data.folder().delete("keywords", "v1")).isTrue();
            warehouse.releaseDeleted();
            // Open readers keep reading, and new readers can open the version while it is attached.
            assertThat(stream.next()).isTrue();
            assertThat(read(warehouse, query("v1"))).isEqualTo(1);
            stream.close();
            warehouse.releaseDeleted();
            assertReason(Reason.MISSING, () -> read(warehouse, query("v1")));
            assertThat(read(warehouse, query("v2"))).isEqualTo(1);
            assertThat(data.folder().delete("keywords", "v2")).isFalse();
        }
    }

    @Test
    void whatIsMissingOrBrokenIsUnavailable() throws Exception {
        var data = new TestWarehouse(root).with("keywords", "v1", rows(1));
        Files.writeString(data.folder().file("keywords", "broken"), "not a database");
        Files.createFile(data.folder().file("keywords", "empty"));
        Files.createDirectories(root.resolve("demographics"));
        Files.copy(data.folder().file("keywords", "v1"), data.folder().file("demographics", "v1"));
        try (Warehouse warehouse = data.open()) {
            assertReason(Reason.MISSING, () -> read(warehouse, query("v0")));
            assertReason(Reason.MISSING, () -> read(warehouse, query("broken")));
            assertReason(Reason.MISSING, () -> read(warehouse, query("empty")));
            var other = SliceQuery.of(
                    TestWarehouse.dataset("demographics"),
                    new ReportQuery(
                            "demographics",
                            List.of("a"),
                            List.of("US"),
                            List.of("demographics_share"),
                            query("v1").query().dates(),
                            Map.of(),
                            false,
                            null,
                            ReportQuery.Output.CSV),
                    "v1");
            assertReason(Reason.MISSING, () -> read(warehouse, other));
            assertThat(read(warehouse, query("v1"))).isEqualTo(1);
        }
    }

    @Test
    void aCancelledStreamEndsAndHarmsNoOther() throws Exception {
        var data = new TestWarehouse(root).with("keywords", "v1", rows(1));
        try (Warehouse warehouse = data.open()) {
            RowStream stream = warehouse.open(query("v1"));
            stream.cancel();
            assertReason(Reason.CANCELLED, stream::next);
            stream.close();
            stream.cancel();
            assertThat(read(warehouse, query("v1"))).isEqualTo(1);
        }
    }

    @Test
    void queriesRunSideBySide() throws Exception {
        var data = new TestWarehouse(root).with("keywords", "v1", rows(1));
        try (Warehouse warehouse = data.open();
                ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Future<Integer>> reads = IntStream.range(0, 200)
                    .mapToObj(i -> threads.submit(() -> read(warehouse, query("v1"))))
                    .toList();
            for (Future<Integer> read : reads) {
                assertThat(read.get()).isEqualTo(1);
            }
        }
    }

    @Test
    void rowsThatDoNotLieAsTheySeemedToAreSearchedForTheNextTime() throws Exception {
        String row = "('k','%s','2026-01-01','monthly',1,1,1,1,1)";
        var data = new TestWarehouse(root)
                .with("keywords", "v1", "VALUES " + row.formatted("US") + ", " + row.formatted("DE"));
        var query = new ReportQuery(
                "keywords",
                List.of("k"),
                List.of("DE", "US"),
                List.of("all_keyword_volume"),
                new ReportQuery.Dates(Granularity.MONTHLY, LocalDate.of(2026, 1, 1), LocalDate.of(2026, 1, 1)),
                Map.of(),
                false,
                null,
                ReportQuery.Output.CSV);
        SliceQuery slice = SliceQuery.of(TestWarehouse.dataset("keywords"), query, "v1");
        try (DuckDbWarehouse warehouse = data.open()) {
            assertReason(Reason.NOT_SORTED, () -> read(warehouse, slice));
            warehouse.notSorted(slice);
            assertThat(read(warehouse, slice)).isEqualTo(2);
        }
    }

    /** Samoa had no 30 December 2011. */
    @Test
    void aDayThatTheZoneOfTheMachineLeftOutIsADay() throws Exception {
        TimeZone ofMachine = TimeZone.getDefault();
        TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Apia"));
        LocalDate day = LocalDate.of(2011, 12, 30);
        var data = new TestWarehouse(root).with("keywords", "v1", "VALUES ('k','US','" + day + "','daily',1,1,1,1,1)");
        var query = new ReportQuery(
                "keywords",
                List.of("k"),
                List.of("US"),
                List.of("all_keyword_volume"),
                new ReportQuery.Dates(Granularity.DAILY, day, day),
                Map.of(),
                false,
                null,
                ReportQuery.Output.CSV);
        try (Warehouse warehouse = data.open()) {
            assertThat(read(warehouse, SliceQuery.of(TestWarehouse.dataset("keywords"), query, "v1")))
                    .isEqualTo(1);
        } finally {
            TimeZone.setDefault(ofMachine);
        }
    }

    @ParameterizedTest
    @CsvSource({"10, 40", "1000, 40", "20000, 10", "100000, 2", "150000, 1", "10000000, 1"})
    void theFirstStatementIsAsLargeAsTheCatalogAllows(long mostPerEntity, int entities) {
        assertThat(chunks(mostPerEntity).next(0)).hasSize(entities);
    }

    @ParameterizedTest
    @CsvSource({"100000, 10, 20", "100000, 100000, 1", "10, 400, 40", "100000, 0, 20", "10000000, 0, 1"})
    void laterOnesFollowWhatWasThere(long mostPerEntity, long rows, int entities) {
        EntityBatches chunks = chunks(mostPerEntity);
        chunks.next(0);
        assertThat(chunks.next(rows)).hasSize(entities);
    }

    /** The rows of a slice are the same in every way of reading. */
    @ParameterizedTest
    @ValueSource(ints = {1, 39, 41, 99, 350, 2_600})
    void aDenseSliceIsReadAsAnyOther(int entities) throws Exception {
        var data = new TestWarehouse(root)
                .with(
                        "keywords",
                        "v1",
                        "SELECT 'k' || i,'US',DATE '2026-01-01','monthly',i,i,i,i,i FROM range(10000, 13000, 2) t(i)"
                                + " ORDER BY 1");
        List<String> asked = IntStream.range(10_100, 10_100 + entities)
                .mapToObj(i -> "k" + i)
                .toList();
        ReportQuery query = query("v1").query().withEntities(asked);
        SliceQuery slice = SliceQuery.of(TestWarehouse.dataset("keywords"), query, "v1");
        try (Warehouse warehouse = data.open()) {
            assertThat(texts(warehouse, slice.ofMany()))
                    .isEqualTo(texts(warehouse, slice))
                    .hasSize((entities + 1) / 2);
        }
    }

    private static List<String> texts(Warehouse warehouse, SliceQuery slice) throws WarehouseException {
        List<String> texts = new ArrayList<>();
        try (RowStream stream = warehouse.open(slice)) {
            while (stream.next()) {
                texts.add(stream.text(0));
            }
        }
        return texts;
    }

    private static EntityBatches chunks(long mostPerEntity) {
        return new EntityBatches(
                IntStream.range(0, 100).mapToObj(Integer::toString).toList(), mostPerEntity, false);
    }

    private static int read(Warehouse warehouse, SliceQuery query) throws WarehouseException {
        int rows = 0;
        try (RowStream stream = warehouse.open(query)) {
            while (stream.next()) {
                rows++;
            }
        }
        return rows;
    }

    private interface Step {
        void run() throws WarehouseException;
    }

    private static void assertReason(Reason reason, Step step) {
        assertThatThrownBy(step::run).isInstanceOfSatisfying(WarehouseException.class, e -> assertThat(e.reason())
                .isEqualTo(reason));
    }

    private static String rows(int volume) {
        return "VALUES ('k','US','2026-01-01','monthly'," + volume + ",1,1,1,1)";
    }

    private static SliceQuery query(String version) {
        LocalDate day = LocalDate.of(2026, 1, 1);
        return SliceQuery.of(
                TestWarehouse.dataset("keywords"),
                new ReportQuery(
                        "keywords",
                        List.of("k"),
                        List.of("US"),
                        List.of("all_keyword_monthly_search_volume"),
                        new ReportQuery.Dates(Granularity.MONTHLY, day, day),
                        Map.of(),
                        false,
                        null,
                        ReportQuery.Output.CSV),
                version);
    }
}
