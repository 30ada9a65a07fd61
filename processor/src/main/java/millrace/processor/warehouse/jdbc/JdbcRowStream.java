package millrace.processor.warehouse.jdbc;

import java.sql.Connection;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.List;
import millrace.catalog.dataset.ColumnType;
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
    private final JdbcSliceSql sql;
    private final JdbcEngine engine;
    private final JdbcSettings settings;
    private final Connection connection;
    private final ColumnType[] types;
    private final boolean[] absent;
    private final @Nullable Object[] objects;
    private final long[] integers;
    private final double[] numbers;

    private @Nullable ResultSet result;
    private int asked;
    private volatile @Nullable PreparedStatement statement;
    private volatile boolean cancelled;

    JdbcRowStream(SliceQuery slice, JdbcSliceSql sql, JdbcEngine engine, JdbcSettings settings, Connection connection) {
        this.slice = slice;
        this.sql = sql;
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
        PreparedStatement prepared = connection.prepareStatement(sql.text(entities.size()));
        statement = prepared;
        engine.limit(prepared, settings);
        sql.bind(prepared, entities);
        // cancel() either finds the statement, or is found here.
        checkCancelled();
        result = prepared.executeQuery();
        asked += entities.size();
    }

    private void read(ResultSet rows) throws SQLException {
        for (int i = 0; i < types.length; i++) {
            switch (types[i]) {
                case TEXT -> objects[i] = rows.getString(i + 1);
                case DATE -> {
                    Date date = rows.getDate(i + 1);
                    objects[i] = date == null ? null : date.toLocalDate();
                }
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
