package millrace.simulation.plan;

/** A kind of report, which decides how its rendering goes. The dataset of the request has this name. */
public enum ReportKind {
    /** One slice, rendered in milliseconds. */
    SMALL,
    /** Several slices. */
    LARGE,
    /** One slice that takes longer than the time between two kills. */
    LONG,
    /** Rendering fails now and then, and succeeds when it is tried again. */
    FLAKY,
    /** The report store rejects every file. */
    FAILING,
    /** Rendering kills its process. */
    DEADLY;

    /** Whether the report may end with an error without a cancellation. */
    public boolean mayFail() {
        return this == FAILING || this == DEADLY || this == FLAKY;
    }
}
