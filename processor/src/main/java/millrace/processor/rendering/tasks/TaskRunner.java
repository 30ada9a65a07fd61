package millrace.processor.rendering.tasks;

import java.util.function.Consumer;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.RenderTask;

/** Runs tasks on the calling thread. Implementations are thread-safe. */
public interface TaskRunner {
    /** A task that is running. Thread-safe. */
    interface RunningTask {
        /** Number of rows written so far. */
        long rows();

        /** Makes the task end soon. */
        void cancel();
    }

    /**
     * Runs a task until it ends, its thread is interrupted, or it is cancelled.
     *
     * @param running receives the running task once it can be cancelled; not called where it cannot
     * @return the answer for the ledger; a failure is an answer too
     */
    AccountCommand run(RenderTask task, Consumer<RunningTask> running);

    /** Deletes the file of an answer that is not sent. What is sent is the ledger's, which says when to delete it. */
    void discard(AccountCommand answer);
}
