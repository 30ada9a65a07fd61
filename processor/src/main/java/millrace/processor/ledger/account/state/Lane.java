package millrace.processor.ledger.account.state;

/** Where the tasks of a report go. Small reports never wait behind large ones. */
public enum Lane {
    /** Reports of one slice, unless many rows are expected of that, or a filter is so long that it is kept in a file. */
    SMALL,
    /** All others, and assembly. */
    LARGE
}
