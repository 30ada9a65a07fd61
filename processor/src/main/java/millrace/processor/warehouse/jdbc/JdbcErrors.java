package millrace.processor.warehouse.jdbc;

import java.io.IOException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import millrace.processor.warehouse.WarehouseException;
import millrace.processor.warehouse.WarehouseException.Reason;

/** Maps SQL errors of the engines to a {@link Reason}. */
final class JdbcErrors {
    /** Trino has no SQL states but ranges of error codes: user errors, internal errors, and insufficient resources. */
    private static final int TRINO_INTERNAL = 0x1_0000;

    private JdbcErrors() {}

    static WarehouseException of(String what, SQLException e, JdbcSettings settings) {
        Reason reason = reason(e);
        String message = what + ": " + e.getMessage();
        return reason == Reason.UNAVAILABLE
                ? WarehouseException.unavailable(message, e, settings.retryPause())
                : new WarehouseException(reason, message, e);
    }

    private static Reason reason(SQLException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof IOException || cause instanceof SQLTransientConnectionException) {
                return Reason.UNAVAILABLE;
            }
        }
        String state = e.getSQLState();
        return state == null ? byCode(e.getErrorCode()) : byState(state);
    }

    private static Reason byState(String state) {
        if (state.length() < 2) {
            return Reason.FAILED;
        }
        return switch (state.substring(0, 2)) {
            // No connection, shutdown, timeout, too many connections, out of memory or disk space.
            case "08", "53", "57" -> Reason.UNAVAILABLE;
            // A role, database, schema, table or column that is missing or not permitted.
            case "28", "3D", "3F", "42" -> Reason.MISSING;
            default -> Reason.FAILED;
        };
    }

    private static Reason byCode(int code) {
        if (code <= 0) {
            return Reason.FAILED;
        }
        return code < TRINO_INTERNAL ? Reason.MISSING : Reason.UNAVAILABLE;
    }
}
