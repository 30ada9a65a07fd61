package millrace.processor.warehouse;

/** Why rows cannot be read. */
public final class WarehouseException extends Exception {
    private static final long serialVersionUID = 1;

    private final Reason reason;

    public WarehouseException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public WarehouseException(Reason reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }

    public enum Reason {
        /** The version is missing or broken, or lacks a table or column of the catalog. */
        UNAVAILABLE,
        /** The engine could not do it, for example for want of memory. */
        FAILED,
        /** The version is not sorted as it seemed to be; another try reads it in another way. */
        NOT_SORTED,
        /** Somebody called {@link RowStream#cancel()}. */
        CANCELLED
    }
}
