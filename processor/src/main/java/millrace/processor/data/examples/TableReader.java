package millrace.processor.data.examples;

import millrace.processor.warehouse.WarehouseException;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.function.UnaryOperator;

/** Runs a statement on the table of a version, independent of rendering. */
@FunctionalInterface
public interface TableReader extends AutoCloseable {

    /** Reads a result to the end. */
    @FunctionalInterface
    interface ResultReader {
        void read(ResultSet found) throws SQLException;
    }

    /**
     * @param sql returns the statement, given the quoted name of the table for FROM
     * @param rows called with the result
     * @throws WarehouseException where the version cannot be read, or the statement fails
     */
    void read(String dataset, String version, UnaryOperator<String> sql, ResultReader rows) throws WarehouseException;

    /** The term of ORDER BY that sorts a text column by its UTF-8 bytes. */
    default String bytewise(String column) {
        return column;
    }

    /** Ends what runs. */
    @Override
    default void close() {}
}
