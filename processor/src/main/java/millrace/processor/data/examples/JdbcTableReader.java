package millrace.processor.data.examples;

import millrace.processor.warehouse.WarehouseException;
import millrace.processor.warehouse.jdbc.JdbcWarehouse;

import java.util.function.UnaryOperator;

/** Reads tables of a warehouse behind JDBC, within its timeout of queries. */
public final class JdbcTableReader implements TableReader {
    private final JdbcWarehouse warehouse;

    public JdbcTableReader(JdbcWarehouse warehouse) {
        this.warehouse = warehouse;
    }

    @Override
    public void read(String dataset, String version, UnaryOperator<String> sql, ResultReader rows)
            throws WarehouseException {
        warehouse.query(dataset, version, sql, rows::read);
    }

    @Override
    public String bytewise(String column) {
        return column + warehouse.bytewise();
    }
}
