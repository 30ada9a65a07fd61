package millrace.processor.warehouse.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.List;
import millrace.catalog.dataset.ColumnType;
import millrace.catalog.dataset.DatasetMetric;
import millrace.processor.warehouse.PortableSql;
import millrace.processor.warehouse.RowStream;
import millrace.processor.warehouse.SliceQuery;
import millrace.processor.warehouse.WarehouseException;
import millrace.processor.warehouse.WarehouseException.Reason;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads a slice with as few statements as possible, and fetches some thousand rows at a time. */
final class JdbcRowStream implements RowStream {
    private static final Logger LOG = LoggerFactory.getLogger(JdbcRowStream.class);
    /** Most entities of one statement. Further statements follow in order, since every order begins with the entity. */
    private static final int ENTITIES = 1024;

    private final SliceQuery slice;
    private final String table;
    private final JdbcEngine engine;
    private final JdbcSettings settings;
    private final Connection connection;
    private final ColumnType[] types;
    private final boolean[] absent;
    private final @Nullable Object[] objects;
    private final long[] integers;
    private final double[] numbers;

    private JdbcSliceSql sql;
    /** Whether the statement has nulls in place of columns that the table lacks. */
    private boolean completed;

    private @Nullable ResultSet result;
    private int asked;
    private volatile @Nullable PreparedStatement statement;
    private volatile boolean cancelled;

    /** @param table the quoted name for FROM */
    JdbcRowStream(SliceQuery slice, String table, JdbcEngine engine, JdbcSettings settings, Connection connection) {
        this.slice = slice;
        this.table = table;
        this.sql = new JdbcSliceSql(engine, table, slice);
        this.engine = engine;
        this.settings = settings;
        this.connection = connection;
        this.types = sql.types().toArray(ColumnType[]::new);
        this.absent = new boolean[types.length];
        this.objects = new @Nullable Object[types.length];
        this.integers = new long[types.length];
        this.numbers = new double[types.length];
    }

    @Override
    public boolean next() throws WarehouseException {
        try {
            while (true) {
                checkCancelled();
                ResultSet rows = result;
                if (rows == null) {
                    if (asked == slice.entities().size()) {
                        return false;
                    }
                    ask();
                } else if (rows.next()) {
                    read(rows);
                    return true;
                } else {
                    closeStatement();
                }
            }
        } catch (SQLException e) {
            checkCancelled();
            throw JdbcErrors.of("dataset " + slice.dataset().name() + " cannot be read", e, settings);
        }
    }

    private void ask() throws SQLException, WarehouseException {
        List<String> all = slice.entities();
        List<String> entities = all.subList(asked, Math.min(all.size(), asked + ENTITIES));
        try {
            result = execute(entities);
        } catch (SQLException e) {
            if (!complete(e)) {
                throw e;
            }
            result = execute(entities);
        }
        asked += entities.size();
    }

    private ResultSet execute(List<String> entities) throws SQLException, WarehouseException {
        PreparedStatement prepared = connection.prepareStatement(sql.text(entities.size()));
        statement = prepared;
        engine.limit(prepared, settings);
        sql.bind(prepared, entities);
        // cancel() either finds the statement, or is found here.
        checkCancelled();
        return prepared.executeQuery();
    }

    /**
     * Whether the statement failed because the table is older than metrics of the query; from now on these are null.
     * Only asked after a failure, since tables that lack columns are rare.
     */
    private boolean complete(SQLException failure) throws SQLException {
        if (completed || JdbcErrors.of("", failure, settings).reason() != Reason.MISSING) {
            return false;
        }
        completed = true;
        closeStatement();
        if (!connection.getAutoCommit()) {
            connection.rollback();
        }
        List<DatasetMetric> metrics;
        try (Statement columns = connection.createStatement()) {
            engine.limit(columns, settings);
            try (ResultSet none = columns.executeQuery(PortableSql.noRows(table))) {
                metrics = slice.absentFrom(PortableSql.columns(none));
            }
        }
        sql = new JdbcSliceSql(engine, PortableSql.completed(table, "stored.*", metrics), slice);
        return !metrics.isEmpty();
    }

    private void read(ResultSet rows) throws SQLException {
        for (int i = 0; i < types.length; i++) {
            switch (types[i]) {
                case TEXT -> objects[i] = rows.getString(i + 1);
                case DATE -> objects[i] = rows.getObject(i + 1, LocalDate.class);
                case INTEGER -> integers[i] = rows.getLong(i + 1);
                case DOUBLE -> numbers[i] = rows.getDouble(i + 1);
            }
            absent[i] = rows.wasNull();
        }
    }

    @Override
    public boolean absent(int column) {
        return absent[column];
    }

    @Override
    public String text(int column) {
        return (String) present(column);
    }

    @Override
    public LocalDate date(int column) {
        return (LocalDate) present(column);
    }

    @Override
    public long integer(int column) {
        return integers[column];
    }

    @Override
    public double number(int column) {
        return numbers[column];
    }

    private Object present(int column) {
        Object value = objects[column];
        if (value == null) {
            throw new IllegalStateException("column " + column + " is absent");
        }
        return value;
    }

    @Override
    public void cancel() {
        cancelled = true;
        PreparedStatement running = statement;
        if (running != null) {
            try {
                running.cancel();
            } catch (SQLException e) {
                LOG.warn("query not cancelled, it runs until its timeout error={}", e.getMessage());
            }
        }
    }

    /** Ends the query, also on the engine, and returns the connection to the pool. */
    @Override
    public void close() {
        try (connection) {
            closeStatement();
            if (!connection.getAutoCommit()) {
                connection.rollback();
            }
        } catch (SQLException e) {
            LOG.debug("closing a warehouse connection failed error={}", e.getMessage());
        }
    }

    private void closeStatement() throws SQLException {
        result = null;
        PreparedStatement open = statement;
        statement = null;
        if (open != null) {
            open.close();
        }
    }

    private void checkCancelled() throws WarehouseException {
        if (cancelled) {
            throw new WarehouseException(Reason.CANCELLED, "cancelled");
        }
    }
}
