package millrace.simulation.plan;

/** What rendering a report is like. Its name is the dataset of the request. */
public enum ReportKind {
    /** One slice, rendered in milliseconds. */
    SMALL,
    /** Several slices. */
    LARGE,
    /** One slice that takes longer than the time between two kills. */
    LONG,
    /** Rendering fails now and then, and succeeds when it is tried again. */
    FLAKY,
    /** The store refuses every file. */
    FAILING,
    /** Rendering kills its process. */
    DEADLY;

    /** Whether it may end in an error that nobody asked for. */
    public boolean mayFail() {
        return this == FAILING || this == DEADLY || this == FLAKY;
    }
}
