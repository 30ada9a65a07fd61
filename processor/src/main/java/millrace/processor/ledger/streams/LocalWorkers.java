package millrace.processor.ledger.streams;

import java.util.function.Consumer;
import millrace.contracts.commands.AccountCommand;
import millrace.contracts.commands.RenderTask;
import org.jspecify.annotations.Nullable;

/** The render workers of this process, to which the ledger hands tasks in memory. Thread-safe; no method blocks. */
public interface LocalWorkers {
    /** Takes no tasks, so that all of them go through Kafka. */
    LocalWorkers NONE = new LocalWorkers() {
        @Override
        public @Nullable Run take(HandedTask task, Consumer<AccountCommand> answered) {
            return null;
        }

        @Override
        public void discard(AccountCommand answer) {}

        @Override
        public void committed(int answered, int late) {}
    };

    /**
     * A task that a step hands out.
     *
     * @param record hands it out through Kafka
     */
    record HandedTask(RenderTask task, OutgoingRecord record) {}

    /**
     * Takes a task, unless it has to go through Kafka.
     *
     * @param answered receives the answer on a thread of the workers
     * @return null where the task is not taken
     */
    @Nullable
    Run take(HandedTask task, Consumer<AccountCommand> answered);

    /** Deletes the file of an answer that nobody takes. */
    void discard(AccountCommand answer);

    /** Hears how many tasks of a committed transaction were answered in time, and how many go through Kafka. */
    void committed(int answered, int late);

    /** A task that was taken. */
    @FunctionalInterface
    interface Run {
        /** Stops the run, unless it is answered. */
        void withdraw();
    }
}
