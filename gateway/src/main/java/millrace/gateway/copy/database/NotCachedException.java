package millrace.gateway.copy.database;

/** What was asked for is on the disk, or may be: somebody who may wait has to ask. */
public final class NotCachedException extends Exception {
    private static final long serialVersionUID = 1;

    NotCachedException() {
        super("not in memory", null, false, false);
    }
}
