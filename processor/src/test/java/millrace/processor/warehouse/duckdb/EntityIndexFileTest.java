package millrace.processor.warehouse.duckdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import millrace.contracts.requests.Granularity;
import millrace.contracts.requests.ReportQuery;
import millrace.processor.warehouse.RowStream;
import millrace.processor.warehouse.SliceQuery;
import millrace.processor.warehouse.TestWarehouse;
import millrace.processor.warehouse.Warehouse;
import millrace.processor.warehouse.WarehouseException;
import millrace.processor.warehouse.WarehouseException.Reason;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Builds, opens and reads entity indexes. {@code FileOrderTest} checks that their rows are those of the version. */
class EntityIndexFileTest {
    /** Two blocks for each site, both full. */
    private static final int KEYWORDS = 2 * RowBlockWriter.MOST_ROWS;

    @TempDir
    private Path root;

    private TestWarehouse data;

    @BeforeEach
    void fill() {
        data = version("v1", 1);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {1, RowBlockWriter.MOST_ROWS - 1, RowBlockWriter.MOST_ROWS, RowBlockWriter.MOST_ROWS + 1, 20_000})
    void holdsEntitiesOfAnyLength(int keywords) throws Exception {
        version("v2", 1, keywords);
        assertThat(indexed("v2")).hasSize(2 * keywords).doesNotHaveDuplicates().isSorted();
    }

    @Test
    void isReadAsTheVersionIs() throws Exception {
        try (DuckDbWarehouse warehouse = data.open(1_000_000)) {
            List<String> rows = rows(warehouse, "v1");
            assertThat(rows).hasSize(2 * KEYWORDS);
            warehouse.awaitIndexes();
            assertThat(data.index("site_keywords", "v1")).exists();
            assertThat(rows(warehouse, "v1")).isEqualTo(rows);
        }
    }

    @Test
    void hasAllRowsWhereOthersWereDeleted() throws Exception {
        try (Connection db = DriverManager.getConnection(
                        "jdbc:duckdb:" + data.folder().file("site_keywords", "v1"));
                Statement sql = db.createStatement()) {
            sql.execute("DELETE FROM site_keywords WHERE domain = 'a.example'");
        }
        assertThat(indexed("v1")).hasSize(KEYWORDS).allMatch(row -> row.startsWith("b.example"));
        assertThat(data.index("site_keywords", "v1")).exists();
    }

    @Test
    void isKeptForTheNextProcess() throws Exception {
        indexed("v1");
        FileTime made = Files.getLastModifiedTime(data.index("site_keywords", "v1"));
        indexed("v1");
        assertThat(Files.getLastModifiedTime(data.index("site_keywords", "v1"))).isEqualTo(made);
    }

    @Test
    void isMadeAnewWhereItIsOfSomethingElseOrBroken() throws Exception {
        assertThat(indexed("v1").getFirst()).endsWith(" 1");
        version("v1", 2);
        Files.setLastModifiedTime(data.folder().file("site_keywords", "v1"), FileTime.from(Instant.EPOCH));
        assertThat(indexed("v1").getFirst()).endsWith(" 2");
        Files.writeString(data.index("site_keywords", "v1"), "no table of RocksDB");
        assertThat(indexed("v1").getFirst()).endsWith(" 2");
        assertThat(Files.size(data.index("site_keywords", "v1"))).isGreaterThan(10_000);
    }

    @Test
    void whatAProcessLeftUnfinishedGoes() throws Exception {
        indexed("v1");
        Path left = Files.writeString(
                data.index("site_keywords", "v1").resolveSibling("a" + EntityIndexBuilder.UNFINISHED), "killed");
        Path written = Files.writeString(
                data.index("site_keywords", "v1").resolveSibling("b" + EntityIndexBuilder.UNFINISHED), "at work");
        Files.setLastModifiedTime(left, FileTime.from(Instant.now().minus(Duration.ofHours(2))));
        try (DuckDbWarehouse warehouse = data.open(1_000_000)) {
            warehouse.releaseDeleted();
        }
        assertThat(left).doesNotExist();
        assertThat(written).exists();
        assertThat(data.index("site_keywords", "v1")).exists();
    }

    @Test
    void goesWithItsVersion() throws Exception {
        try (DuckDbWarehouse warehouse = data.open(1_000_000)) {
            rows(warehouse, "v1");
            warehouse.awaitIndexes();
            try (RowStream stream = warehouse.open(slice("v1"))) {
                assertThat(stream.next()).isTrue();
                version("v2", 2);
                data.folder().delete("site_keywords", "v1");
                warehouse.releaseDeleted();
                assertThat(data.index("site_keywords", "v1")).doesNotExist();
                // Open readers keep reading.
                assertThat(IntStream.range(1, 2 * KEYWORDS).allMatch(i -> next(stream)))
                        .isTrue();
                assertThat(stream.next()).isFalse();
            }
            warehouse.releaseDeleted();
            assertThat(rows(warehouse, "v2")).hasSize(2 * KEYWORDS);
            Assertions.assertThatThrownBy(() -> rows(warehouse, "v1")).hasMessageContaining("does not exist");
        }
    }

    @Test
    void isNotBuiltOfMoreRowsThanAreToBeIndexed() throws Exception {
        try (DuckDbWarehouse warehouse = data.open(2 * KEYWORDS - 1)) {
            rows(warehouse, "v1");
            warehouse.awaitIndexes();
            assertThat(data.index("site_keywords", "v1")).doesNotExist();
            assertThat(rows(warehouse, "v1")).hasSize(2 * KEYWORDS);
        }
    }

    @Test
    void aStreamMayBeCancelledAndMayOutliveTheWarehouse() throws Exception {
        DuckDbWarehouse warehouse = data.open(1_000_000);
        rows(warehouse, "v1");
        warehouse.awaitIndexes();
        RowStream stream = warehouse.open(slice("v1"));
        assertThat(stream.next()).isTrue();
        warehouse.close();
        stream.cancel();
        Assertions.assertThatThrownBy(() -> {
                    while (stream.next()) {}
                })
                .isInstanceOfSatisfying(
                        WarehouseException.class, e -> assertThat(e.reason()).isEqualTo(Reason.CANCELLED));
        stream.close();
        stream.close();
    }

    private List<String> indexed(String version) throws Exception {
        try (DuckDbWarehouse warehouse = data.open(1_000_000)) {
            rows(warehouse, version);
            warehouse.awaitIndexes();
            return rows(warehouse, version);
        }
    }

    private TestWarehouse version(String version, int visits) {
        return version(version, visits, KEYWORDS);
    }

    private TestWarehouse version(String version, int visits, int keywords) {
        return new TestWarehouse(root).with("site_keywords", version, """
                SELECT site, 'US', DATE '2026-01-05', printf('keyword %%05d', k), 'weekly', false,
                  %d, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL
                FROM (VALUES ('a.example'), ('b.example')) s(site), range(%d) t(k) ORDER BY 1, 4""".formatted(visits, keywords));
    }

    private static List<String> rows(Warehouse warehouse, String version) throws WarehouseException {
        List<String> rows = new ArrayList<>();
        try (RowStream stream = warehouse.open(slice(version))) {
            while (stream.next()) {
                rows.add(stream.text(0) + " " + stream.text(1) + " " + stream.date(2) + " " + stream.text(3) + " "
                        + Math.round(stream.number(4)));
            }
        }
        return rows;
    }

    private static boolean next(RowStream stream) {
        try {
            return stream.next();
        } catch (WarehouseException e) {
            throw new AssertionError(e);
        }
    }

    private static SliceQuery slice(String version) {
        LocalDate day = LocalDate.of(2026, 1, 5);
        return SliceQuery.of(
                TestWarehouse.dataset("site_keywords"),
                new ReportQuery(
                        "site_keywords",
                        List.of("a.example", "b.example", "nobody.example"),
                        List.of("US"),
                        List.of("desktop_keywords_total_visits"),
                        new ReportQuery.Dates(Granularity.WEEKLY, day, day),
                        Map.of(),
                        false,
                        null,
                        ReportQuery.Output.CSV),
                version);
    }
}
