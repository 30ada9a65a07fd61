package millrace.processor.ledger.streams;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import millrace.contracts.commands.AccountCommand;
import millrace.processor.ledger.streams.LocalWorkers.HandedTask;
import millrace.processor.ledger.streams.LocalWorkers.Run;
import millrace.runtime.service.ServiceThreads;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of small reports that a stream thread has handed to workers of its process within its open transaction.
 * Their answers join the transaction. Tasks that are not answered when it is committed go through Kafka. For the stream
 * thread only.
 *
 * <p>Where most tasks are not answered in time, fewer are handed over, and the others go through Kafka at once.
 */
final class HeldTasks {
    /** Most tasks that the workers have at once. */
    static final int MOST = 32;
    /** Limit of a task's record, so that all of them together have at most 2 MiB. */
    static final int MOST_BYTES = 64 * 1024;
    /** Most tasks in a row that go through Kafka at once since those before were not answered in time. */
    private static final int MOST_SKIPPED = 1024;

    /** Longest time that a commit which is due waits for answers. */
    private static final Duration HOLD = Duration.ofMillis(10);

    /** How often steps look for answers; the least time that Streams knows. */
    static final Duration LOOK = Duration.ofMillis(1);

    private static final long NOT_HELD = -1;

    /** A task that local workers have rendered before the decision that handed it out is committed. */
    record AnsweredTask(HandedTask task, AccountCommand answer) {}

    private final LocalWorkers workers;
    private final ServiceThreads threads;
    private final List<HeldTask> out = new ArrayList<>();
    /** Records of tasks that failed. Through Kafka they are counted and repeated. */
    private final List<OutgoingRecord> failed = new ArrayList<>();
    /** The answers in the transaction. */
    private final List<AccountCommand> taken = new ArrayList<>();

    private volatile @Nullable Thread waiting;
    private long heldUntil = NOT_HELD;
    /** Tasks of the transaction that go through Kafka after all. */
    private int late;

    private int skipped;
    private int toSkip;

    HeldTasks(LocalWorkers workers, ServiceThreads threads) {
        this.workers = workers;
        this.threads = threads;
    }

    /** Hands a task to the workers; returns false where it must go through Kafka. */
    boolean handOver(Object owner, HandedTask task) {
        byte[] value = task.record().record().value();
        if (out.size() >= MOST || value.length > MOST_BYTES || skips()) {
            return false;
        }
        var held = new HeldTask(owner, task);
        Run run = workers.take(task, answer -> arrived(held, answer));
        if (run == null) {
            return false;
        }
        held.runs(run);
        out.add(held);
        return true;
    }

    private boolean skips() {
        if (toSkip == 0) {
            return false;
        }
        toSkip--;
        return true;
    }

    /** Called by a thread of the workers. */
    private void arrived(HeldTask held, AccountCommand answer) {
        if (held.answer(answer)) {
            LockSupport.unpark(waiting);
        } else {
            workers.discard(answer);
        }
    }

    /** Removes and returns the owner's tasks that are rendered. */
    List<AnsweredTask> answered(Object owner) {
        List<AnsweredTask> answered = new ArrayList<>();
        for (Iterator<HeldTask> all = out.iterator(); all.hasNext(); ) {
            HeldTask held = all.next();
            AccountCommand answer = held.isOf(owner) ? held.answer() : null;
            if (answer instanceof AccountCommand.SliceDone) {
                all.remove();
                taken.add(answer);
                answered.add(new AnsweredTask(held.task(), answer));
            } else if (answer != null) {
                all.remove();
                failed.add(held.task().record());
                late++;
            }
        }
        return answered;
    }

    /** Whether the commit may wait for answers; to be called when it is due, since it waits from the first call on. */
    boolean holds() {
        return !out.isEmpty() && heldUntil() - threads.nanoTime() > 0;
    }

    private long heldUntil() {
        if (heldUntil == NOT_HELD) {
            heldUntil = threads.nanoTime() + HOLD.toNanos();
        }
        return heldUntil;
    }

    /** Waits until a further task is answered, or the commit may not wait any longer. */
    void await() {
        long before = arrivals();
        long end = heldUntil();
        if (before > 0) {
            // Steps take answers every millisecond.
            end = Math.min(end, threads.nanoTime() + LOOK.toNanos());
        }
        waiting = Thread.currentThread();
        try {
            for (long left = end - threads.nanoTime();
                    left > 0 && arrivals() == before && !Thread.currentThread().isInterrupted();
                    left = end - threads.nanoTime()) {
                threads.parkNanos(left);
            }
        } finally {
            waiting = null;
        }
    }

    private long arrivals() {
        return out.stream().filter(held -> held.answer() != null).count();
    }

    /** Sends the tasks that are not answered through Kafka, since the transaction is committed. */
    void giveBack(Consumer<OutgoingRecord> sender) {
        failed.forEach(sender);
        for (HeldTask held : out) {
            drop(held);
            sender.accept(held.task().record());
        }
        late += out.size();
        failed.clear();
        out.clear();
    }

    private void drop(HeldTask held) {
        AccountCommand answer = held.drop();
        if (answer != null) {
            workers.discard(answer);
        }
    }

    void committed() {
        workers.committed(taken.size(), late);
        if (late > taken.size()) {
            skipped = Math.clamp(2L * skipped, 1, MOST_SKIPPED);
            toSkip = skipped;
        } else if (!taken.isEmpty()) {
            skipped = 0;
        }
        taken.clear();
        end();
    }

    /** @param never whether the transaction will certainly never be committed, so that nothing needs its files */
    void aborted(boolean never) {
        out.forEach(this::drop);
        out.clear();
        failed.clear();
        if (never) {
            taken.forEach(workers::discard);
        }
        taken.clear();
        end();
    }

    private void end() {
        late = 0;
        heldUntil = NOT_HELD;
    }
}
