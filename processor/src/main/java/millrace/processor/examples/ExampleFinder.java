package millrace.processor.examples;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import millrace.catalog.dataset.Dataset;
import millrace.contracts.requests.ReportQuery;
import millrace.processor.warehouse.WarehouseException;

/** Finds a query that has rows in a version of a dataset, from the first rows that the engine returns. */
public final class ExampleFinder {
    private final TableReader tables;

    public ExampleFinder(TableReader tables) {
        this.tables = tables;
    }

    /**
     * The query; empty where the sampled rows have no metrics.
     *
     * @throws WarehouseException where the version cannot be read
     */
    public Optional<ReportQuery> find(Dataset dataset, String version) throws WarehouseException {
        var sql = new ExampleSql(dataset);
        List<ExampleRow> rows = new ArrayList<>();
        tables.read(dataset.name(), version, sql::text, found -> rows.addAll(sql.rows(found)));
        return new ExampleChoice(dataset).of(rows, sql.filters());
    }
}
