package millrace.processor.rendering.tasks;

/** A task that is running. Thread-safe. */
public interface RunningTask {
    /** Number of rows written so far. */
    long rows();

    /** Makes the task end soon. */
    void cancel();
}
