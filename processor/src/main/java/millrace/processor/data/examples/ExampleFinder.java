package millrace.processor.data.examples;

import millrace.catalog.dataset.Dataset;
import millrace.catalog.dataset.DatasetMetric;
import millrace.contracts.requests.ReportQuery;
import millrace.processor.data.examples.ExampleSql.ExampleRow;
import millrace.processor.warehouse.PortableSql;
import millrace.processor.warehouse.WarehouseException;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Finds a query that has rows in a version of a dataset, from the first rows that the engine returns. */
public final class ExampleFinder {
    private final TableReader tables;

    public ExampleFinder(TableReader tables) {
        this.tables = tables;
    }

    /**
     * The metrics that a version has no column for.
     *
     * @throws WarehouseException where the version cannot be read
     */
    public List<String> absentMetrics(Dataset dataset, String version) throws WarehouseException {
        Set<String> columns = new HashSet<>();
        tables.read(dataset.name(), version, PortableSql::noRows, none -> columns.addAll(PortableSql.columns(none)));
        return dataset.metrics().stream()
                .map(DatasetMetric::name)
                .filter(name -> !columns.contains(name))
                .toList();
    }

    /**
     * The query; empty where the sampled rows have no metrics.
     *
     * @throws WarehouseException where the version cannot be read
     */
    public Optional<ReportQuery> find(Dataset dataset, String version) throws WarehouseException {
        return find(dataset, version, absentMetrics(dataset, version));
    }

    /** @param absent the metrics that the version has no column for */
    Optional<ReportQuery> find(Dataset dataset, String version, List<String> absent) throws WarehouseException {
        var sql = new ExampleSql(dataset, absent);
        List<ExampleRow> rows = new ArrayList<>();
        tables.read(dataset.name(), version, sql::text, found -> rows.addAll(sql.rows(found)));
        return new ExampleChoice(dataset).of(rows, sql.filters());
    }
}
