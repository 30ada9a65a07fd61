package millrace.processor.rendering.worker;

/** A task while it runs. Any thread may call. */
public interface RunningTask {
    /** Rows written so far. */
    long rows();

    /** Makes the run end soon. */
    void cancel();
}
