package millrace.processor.ledger.decide;

/** The topic and threads that the tasks of a report go to. Small reports never wait behind large ones. */
public enum Lane {
    /** Reports of one slice, unless many rows are expected of that, or a filter is so long that it is kept in a file. */
    SMALL,
    /** All others, and assembly. */
    LARGE
}
