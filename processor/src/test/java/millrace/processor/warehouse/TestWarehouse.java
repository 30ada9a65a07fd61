package millrace.processor.warehouse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import millrace.catalog.Catalog;
import millrace.catalog.dataset.ColumnType;
import millrace.catalog.dataset.Dataset;
import millrace.processor.warehouse.duckdb.DuckDbSettings;
import millrace.processor.warehouse.duckdb.DuckDbWarehouse;
import millrace.processor.warehouse.duckdb.WarehouseFolder;

/** A warehouse folder that a test fills with rows. */
public final class TestWarehouse {
    public static final Catalog CATALOG = Catalog.builtIn();

    private final WarehouseFolder folder;
    private final Path root;

    public TestWarehouse(Path root) {
        this.root = root;
        this.folder = new WarehouseFolder(root, InstantSource.system());
    }

    public WarehouseFolder folder() {
        return folder;
    }

    /** Opens the warehouse without entity indexes. */
    public DuckDbWarehouse open() throws WarehouseException {
        return open(0);
    }

    /** Opens the warehouse with entity indexes of versions up to this number of rows. */
    public DuckDbWarehouse open(long indexRows) throws WarehouseException {
        return new DuckDbWarehouse(folder, new DuckDbSettings("256MB", 1, root.resolve("spill"), indexRows));
    }

    public static Dataset dataset(String name) {
        return CATALOG.dataset(name).orElseThrow();
    }

    /**
     * Publishes a version and makes it current.
     *
     * @param insert SQL behind {@code INSERT INTO {dataset}}; the columns are the key columns, granularity, subdomains
     *     (of datasets with domains), metrics
     */
    public TestWarehouse with(String dataset, String version, String... insert) {
        try {
            Path file = root.resolve(dataset + ".new");
            Files.createDirectories(root);
            try (Connection db = DriverManager.getConnection("jdbc:duckdb:" + file);
                    Statement sql = db.createStatement()) {
                sql.execute("CREATE TABLE " + dataset + " (" + columns(dataset(dataset)) + ")");
                for (String rows : insert) {
                    sql.execute("INSERT INTO " + dataset + " " + rows);
                }
            }
            folder.publish(file, dataset, version);
            folder.switchTo(dataset, version);
            return this;
        } catch (SQLException | IOException e) {
            throw new IllegalStateException("cannot fill " + dataset, e);
        }
    }

    /** Drops columns of a version that nobody has opened yet, as if it were older than they are. */
    public void without(String dataset, String version, String... columns) {
        try (Connection db = DriverManager.getConnection("jdbc:duckdb:" + folder.file(dataset, version));
                Statement sql = db.createStatement()) {
            for (String column : columns) {
                sql.execute("ALTER TABLE " + dataset + " DROP COLUMN " + column);
            }
        } catch (SQLException e) {
            throw new IllegalStateException("cannot change " + dataset, e);
        }
    }

    /** A version of {@link EdgeCaseRows}. */
    public void withEdgeCases(Dataset dataset, String version) {
        with(dataset.name(), version);
        Path file = folder.file(dataset.name(), version);
        try (Connection db = DriverManager.getConnection("jdbc:duckdb:" + file)) {
            new EdgeCaseRows(dataset).insert(db, dataset.name(), 50);
        } catch (SQLException e) {
            throw new IllegalStateException("cannot fill " + dataset.name(), e);
        }
    }

    /** The same rows as {@link #withEdgeCases}, in the order of imports. */
    public void withSortedEdgeCases(Dataset dataset, String version) {
        withEdgeCases(dataset, version);
        String name = dataset.name();
        String order = Stream.of(
                        Stream.of(dataset.entity().column(), "granularity"),
                        dataset.hasSubdomains() ? Stream.of("subdomains") : Stream.<String>empty(),
                        dataset.rowOrder().stream().map(o -> o + " NULLS LAST"))
                .flatMap(s -> s)
                .collect(Collectors.joining(", "));
        try (Connection db = DriverManager.getConnection("jdbc:duckdb:" + folder.file(name, version));
                Statement sql = db.createStatement()) {
            sql.execute("CREATE TABLE sorted AS SELECT * FROM " + name + " ORDER BY " + order);
            sql.execute("DROP TABLE " + name);
            sql.execute("ALTER TABLE sorted RENAME TO " + name);
        } catch (SQLException e) {
            throw new IllegalStateException("cannot sort " + name, e);
        }
    }

    /** The path of the entity index of a version, which need not exist. */
    public Path index(String dataset, String version) {
        return root.resolve("spill").resolve("copies").resolve(dataset).resolve(version + ".duckdb.sst");
    }

    private static String columns(Dataset dataset) {
        return Stream.of(
                        dataset.keyColumns().stream().map(k -> k.name() + " " + type(k.type())),
                        Stream.of("granularity VARCHAR"),
                        dataset.hasSubdomains() ? Stream.of("subdomains BOOLEAN") : Stream.<String>empty(),
                        dataset.metrics().stream().map(m -> m.name() + " " + type(m.type())))
                .flatMap(s -> s)
                .collect(Collectors.joining(", "));
    }

    private static String type(ColumnType type) {
        return switch (type) {
            case TEXT -> "VARCHAR";
            case DATE -> "DATE";
            case INTEGER -> "INTEGER";
            case DOUBLE -> "DOUBLE";
        };
    }
}
