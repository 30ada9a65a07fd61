package millrace.processor.rendering.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.dataset.DatasetMetric;
import millrace.contracts.requests.Granularity;
import millrace.files.disk.DiskReportStore;
import millrace.processor.data.examples.DictionaryContent;
import millrace.processor.data.examples.ExampleFinder;
import millrace.processor.data.examples.FolderTableReader;
import millrace.processor.data.examples.JdbcTableReader;
import millrace.processor.rendering.formats.ParquetFiles;
import millrace.processor.warehouse.EdgeCaseRows;
import millrace.processor.warehouse.TestWarehouse;
import millrace.processor.warehouse.Warehouse;
import millrace.processor.warehouse.WarehouseException;
import millrace.processor.warehouse.jdbc.JdbcTestSettings;
import millrace.processor.warehouse.jdbc.JdbcWarehouse;
import millrace.testing.TestPostgres;
import millrace.testing.TestTrino;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The same rows give the same file with every engine. */
class WarehouseEnginesIT {
    private static final EdgeCaseRows.Words POSTGRESQL = new EdgeCaseRows.Words("TEXT", "DOUBLE PRECISION");
    private static final EdgeCaseRows.Words OTHERS = new EdgeCaseRows.Words("VARCHAR", "DOUBLE");

    @TempDir
    private Path folder;

    @Test
    void postgresql() throws Exception {
        Optional<TestPostgres> found = TestPostgres.start();
        assumeThat(found).as(TestPostgres.MISSING).isPresent();
        try (TestPostgres server = found.orElseThrow()) {
            try (Connection db = server.connect()) {
                fill(db, POSTGRESQL, 50);
            }
            try (var warehouse = new JdbcWarehouse(server.address(), JdbcTestSettings.of(Duration.ofMinutes(1)))) {
                compare(warehouse);
                hasExamples(warehouse);
                hasFacts(warehouse);
            }
        }
    }

    @Test
    void trino() throws Exception {
        assumeThat(TestTrino.isHere()).as(TestTrino.MISSING).isTrue();
        try (TestTrino server = TestTrino.startInMemory(folder.resolve("trino"))) {
            String schema = "memory/default";
            try (Connection db = server.connect(schema)) {
                fill(db, OTHERS, 200);
            }
            try (var warehouse =
                    new JdbcWarehouse(server.address(schema), JdbcTestSettings.of(Duration.ofMinutes(2)))) {
                compare(warehouse);
                hasExamples(warehouse);
                hasFacts(warehouse);
            }
        }
    }

    /** The same facts and entities as of DuckDB, which {@link #compare} has filled. */
    private void hasFacts(JdbcWarehouse warehouse) throws Exception {
        var data = new TestWarehouse(folder.resolve("warehouse"));
        for (Dataset dataset : TestWarehouse.CATALOG.datasets()) {
            var expected = DictionaryContent.of(
                    dataset,
                    SampleTasks.VERSION,
                    new FolderTableReader(data.folder(), folder.resolve("spill")),
                    data.folder(),
                    folder.resolve("dictionaries"));
            var actual = DictionaryContent.of(
                    dataset,
                    SampleTasks.VERSION,
                    new JdbcTableReader(warehouse),
                    warehouse.versions(),
                    folder.resolve("other-dictionaries"));
            assertThat(actual.names()).as(dataset.name()).isNotEmpty().isEqualTo(expected.names());
            assertThat(actual.facts())
                    .usingRecursiveComparison()
                    .ignoringFields("updatedAt")
                    .isEqualTo(expected.facts());
            assertThat(actual.facts().updatedAt()).isEqualTo(Instant.parse("2026-01-01T00:00:00Z"));
        }
    }

    private static void hasExamples(JdbcWarehouse warehouse) throws WarehouseException {
        var finder = new ExampleFinder(new JdbcTableReader(warehouse));
        for (Dataset dataset : TestWarehouse.CATALOG.datasets()) {
            assertThat(finder.find(dataset, SampleTasks.VERSION))
                    .as(dataset.name())
                    .isPresent();
        }
    }

    @Test
    void entityIndexesOfDuckDb() throws Exception {
        var data = new TestWarehouse(folder.resolve("sorted"));
        for (Dataset dataset : TestWarehouse.CATALOG.datasets()) {
            data.withSortedEdgeCases(dataset, SampleTasks.VERSION);
        }
        try (var warehouse = data.open(1_000_000)) {
            for (Dataset dataset : TestWarehouse.CATALOG.datasets()) {
                render(warehouse, tasks(dataset).getFirst());
            }
            warehouse.awaitIndexes();
            for (Dataset dataset : TestWarehouse.CATALOG.datasets()) {
                assertThat(data.index(dataset.name(), SampleTasks.VERSION)).exists();
            }
            compare(warehouse);
        }
    }

    private static void fill(Connection db, EdgeCaseRows.Words words, int batch) throws SQLException {
        String text = words.text();
        try (Statement sql = db.createStatement()) {
            sql.execute("CREATE TABLE millrace_versions (dataset " + text + ", version " + text + ", table_name " + text
                    + ", switched_at TIMESTAMP)");
            for (Dataset dataset : TestWarehouse.CATALOG.datasets()) {
                String table = dataset.name() + "_v1";
                var rows = new EdgeCaseRows(dataset);
                rows.create(db, table, words);
                rows.insert(db, table, batch);
                sql.execute("INSERT INTO millrace_versions VALUES ('" + dataset.name() + "', '" + SampleTasks.VERSION
                        + "', '" + table + "', TIMESTAMP '2026-01-01 00:00:00')");
            }
        }
    }

    private void compare(Warehouse engine) throws Exception {
        var data = new TestWarehouse(folder.resolve("warehouse"));
        for (Dataset dataset : TestWarehouse.CATALOG.datasets()) {
            data.withEdgeCases(dataset, SampleTasks.VERSION);
        }
        try (Warehouse duckDb = data.open()) {
            for (Dataset dataset : TestWarehouse.CATALOG.datasets()) {
                long rows = 0;
                for (SampleTasks task : tasks(dataset)) {
                    SliceRenderer.Rendered expected = render(duckDb, task);
                    SliceRenderer.Rendered actual = render(engine, task);
                    assertThat(actual).as("%s", task).isEqualTo(expected);
                    rows += expected.counts().rows();
                }
                assertThat(rows).as(dataset.name()).isPositive();
            }
        }
    }

    /** Renders a task; the result has the file's SHA-256 and the counts. */
    private SliceRenderer.Rendered render(Warehouse warehouse, SampleTasks task)
            throws IOException, WarehouseException {
        var store = new DiskReportStore(folder.resolve("files"), false);
        return new SliceRenderer(TestWarehouse.CATALOG, warehouse, store, new ParquetFiles(folder))
                .render(task.task(), "r/1/0", new RunningSlice());
    }

    private static List<SampleTasks> tasks(Dataset dataset) {
        List<SampleTasks> tasks = new ArrayList<>();
        for (Granularity granularity : dataset.granularities()) {
            String[] metrics = dataset.metrics().stream()
                    .filter(m -> m.granularities().contains(granularity))
                    .map(DatasetMetric::name)
                    .toArray(String[]::new);
            var periods = EdgeCaseRows.periods(granularity);
            SampleTasks all = SampleTasks.of(dataset.name(), EdgeCaseRows.ENTITIES, EdgeCaseRows.COUNTRIES, metrics)
                    .dates(
                            granularity,
                            periods.getFirst().toString(),
                            periods.getLast().toString())
                    .countingRevealed();
            tasks.add(all);
            tasks.add(all.spreadsheet().limit(5));
            tasks.add(all.skip(3).limit(5));
            tasks.add(all.filters(filters(dataset)));
            if (dataset.hasSubdomains()) {
                tasks.add(all.subdomains());
            }
        }
        return tasks;
    }

    private static Map<String, List<String>> filters(Dataset dataset) {
        Map<String, List<String>> filters = new HashMap<>();
        dataset.filters().forEach(f -> {
            @Nullable
            List<String> values =
                    switch (f.kind()) {
                        case CHOICE -> f.values();
                        case INTEGER -> List.of("10", "2", "3");
                        case KEYWORD -> null;
                    };
            if (values != null) {
                filters.put(f.column(), values);
            }
        });
        return filters;
    }
}
