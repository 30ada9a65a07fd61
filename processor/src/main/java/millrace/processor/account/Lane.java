package millrace.processor.account;

/** Where the tasks of a report go. Small reports never wait behind large ones. */
public enum Lane {
    /** Reports of one slice. */
    SMALL,
    /** Reports of several slices, and their assembly. */
    LARGE
}
