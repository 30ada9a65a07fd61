package millrace.processor.examples;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.function.UnaryOperator;
import millrace.processor.warehouse.WarehouseException;

/** Reads the table of a version with a statement of the caller's, beside the slices that are rendered. */
@FunctionalInterface
public interface TableReader {

    /** Reads a result to its end. */
    @FunctionalInterface
    interface ResultReader {
        void read(ResultSet found) throws SQLException;
    }

    /**
     * @param sql makes the statement from the table as it stands in FROM
     * @param rows called with the result
     * @throws WarehouseException where the version cannot be read, or the statement fails
     */
    void read(String dataset, String version, UnaryOperator<String> sql, ResultReader rows) throws WarehouseException;
}
