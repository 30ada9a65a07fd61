package millrace.processor.warehouse;

import java.time.Duration;

/** The rows of a slice cannot be read, for one of the {@link Reason}s. */
public final class WarehouseException extends Exception {
    private static final long serialVersionUID = 1;

    private final Reason reason;
    private final Duration pause;

    public WarehouseException(Reason reason, String message) {
        super(message);
        this.reason = reason;
        this.pause = Duration.ZERO;
    }

    public WarehouseException(Reason reason, String message, Throwable cause) {
        this(reason, message, cause, Duration.ZERO);
    }

    private WarehouseException(Reason reason, String message, Throwable cause, Duration pause) {
        super(message, cause);
        this.reason = reason;
        this.pause = pause;
    }

    /** @param pause how long to wait before the next try */
    public static WarehouseException unavailable(String message, Throwable cause, Duration pause) {
        return new WarehouseException(Reason.UNAVAILABLE, message, cause, pause);
    }

    public static WarehouseException notSorted(SliceQuery slice) {
        return new WarehouseException(
                Reason.NOT_SORTED,
                "dataset " + slice.dataset().name() + ", version " + slice.version()
                        + ": the rows do not lie in the order of reports");
    }

    public Reason reason() {
        return reason;
    }

    /** How long to wait before the next try; zero where waiting does not help. */
    public Duration pause() {
        return pause;
    }

    public enum Reason {
        /** The version is missing or broken, or lacks a table or column of the catalog. */
        MISSING,
        /** The engine is unavailable, or took too long; another try may succeed. */
        UNAVAILABLE,
        /** The engine failed, for example because of too little memory. */
        FAILED,
        /** The version is not sorted as expected; another try reads it in another way. */
        NOT_SORTED,
        /** The stream was cancelled with {@link RowStream#cancel()}. */
        CANCELLED
    }
}
