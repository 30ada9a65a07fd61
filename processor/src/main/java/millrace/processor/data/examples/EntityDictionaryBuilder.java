package millrace.processor.data.examples;

import millrace.catalog.dataset.Dataset;
import millrace.catalog.dataset.KeyColumn;
import millrace.contracts.requests.DatasetFacts;
import millrace.files.entities.EntityDictionary;
import millrace.files.entities.EntityDictionaryWriter;
import millrace.files.store.ReportFileWriter;
import millrace.files.store.ReportStore;
import millrace.processor.warehouse.DataVersions;
import millrace.processor.warehouse.WarehouseException;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Builds the entity dictionary and the facts of a version with one statement, whose result the
 * engine sorts. Whatever the number of entities, a block of them is in memory.
 */
final class EntityDictionaryBuilder {
    private final ReportStore store;
    private final TableReader tables;
    private final DataVersions versions;

    EntityDictionaryBuilder(ReportStore store, TableReader tables, DataVersions versions) {
        this.store = store;
        this.tables = tables;
        this.versions = versions;
    }

    /**
     * Writes the dictionary and returns the facts. Where another processor has been faster, its
     * file stays, so that all publish the same; one that lacks names is replaced.
     *
     * @throws WarehouseException where the version cannot be read in the time that the engine has
     * @throws IOException where the store cannot be written to
     * @throws IllegalArgumentException where the engine does not sort by UTF-8 bytes
     */
    DatasetFacts build(Dataset dataset, String version) throws IOException, WarehouseException {
        String file = EntityDictionary.fileName(dataset.name(), version);
        Optional<DatasetFacts> before = written(file);
        if (before.isPresent()) {
            return before.get();
        }
        try (ReportFileWriter out = store.create(file)) {
            var dictionary = new EntityDictionaryWriter(out);
            var collector = new FactsCollector(dataset.entity().kind(), dictionary);
            tables.read(dataset.name(), version, table -> sql(dataset, table), rows -> addAll(rows, collector));
            DatasetFacts facts = collector.facts(versions.updatedAt(dataset.name(), version)
                    .map(at -> at.truncatedTo(ChronoUnit.MILLIS))
                    .orElse(null));
            dictionary.finish(facts);
            Optional<DatasetFacts> faster = written(file);
            if (faster.isEmpty()) {
                var unused = out.commit();
            }
            return faster.orElse(facts);
        } catch (UncheckedIOException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private Optional<DatasetFacts> written(String file) throws IOException {
        if (!store.exists(file)) {
            return Optional.empty();
        }
        EntityDictionary found = EntityDictionary.open(store, file);
        return found.hasEveryName() ? Optional.of(found.facts()) : Optional.empty();
    }

    private String sql(Dataset dataset, String table) {
        String date = "CAST(\"" + KeyColumn.DATE + "\" AS DATE)";
        return "SELECT entity, granularity, n, first_date, last_date FROM (SELECT CAST(\""
                + dataset.entity().column()
                + "\" AS VARCHAR) AS entity, CAST(\"granularity\" AS VARCHAR) AS granularity, count(*) AS n, min("
                + date + ") AS first_date, max(" + date + ") AS last_date FROM " + table
                + " GROUP BY 1, 2) AS groups ORDER BY " + tables.bytewise("entity");
    }

    private static void addAll(ResultSet rows, FactsCollector collector) throws SQLException {
        try {
            while (rows.next()) {
                collector.add(
                        rows.getString(1),
                        rows.getString(2),
                        rows.getLong(3),
                        rows.getObject(4, LocalDate.class),
                        rows.getObject(5, LocalDate.class));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
