package millrace.processor.ledger.streams;

import millrace.contracts.commands.AccountCommand;
import millrace.processor.ledger.streams.LocalWorkers.HandedTask;
import millrace.processor.ledger.streams.LocalWorkers.Run;
import org.jspecify.annotations.Nullable;

/** A task that local workers have, whose decision is not committed. Thread-safe. */
final class HeldTask {
    private final Object owner;
    private final HandedTask task;
    private @Nullable Run run;
    private @Nullable AccountCommand answer;
    private boolean dropped;

    /** @param owner the step that handed it out */
    HeldTask(Object owner, HandedTask task) {
        this.owner = owner;
        this.task = task;
    }

    boolean isOf(Object step) {
        return owner == step;
    }

    HandedTask task() {
        return task;
    }

    synchronized void runs(Run taken) {
        run = taken;
    }

    /** Keeps the answer; returns false where nobody waits for it any more. */
    synchronized boolean answer(AccountCommand given) {
        if (dropped) {
            return false;
        }
        answer = given;
        return true;
    }

    synchronized @Nullable AccountCommand answer() {
        return answer;
    }

    /** Withdraws the task. Returns its answer where it has one already. */
    @Nullable
    AccountCommand drop() {
        Run stopped;
        AccountCommand given;
        synchronized (this) {
            dropped = true;
            stopped = run;
            given = answer;
        }
        if (stopped != null) {
            stopped.withdraw();
        }
        return given;
    }
}
