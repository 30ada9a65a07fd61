package millrace.processor.rendering.worker;

import java.util.function.Consumer;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.RenderTask;

/** Runs the tasks that the ledger hands out, each in the thread that calls. Several threads call at once. */
public interface TaskRunner {
    /**
     * Runs a task until it ends, until its thread is interrupted, or until the running task is cancelled.
     *
     * @param running told of the running task once it can be cancelled; not told where there is nothing to cancel
     * @return the answer for the ledger; failures are answers too
     */
    AccountCommand run(RenderTask task, Consumer<RunningTask> running);

    /** Deletes the file of an answer that is not sent. */
    void discard(AccountCommand answer);

    /** Deletes the parts of a report whose assembly is acknowledged. */
    void discardParts(RenderTask.Assemble task);
}
