package millrace.gateway.copy.database;

/** A table of a database. */
@FunctionalInterface
public interface RowTable {
    /** The first byte of its rows' keys. */
    byte code();
}
