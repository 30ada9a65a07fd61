package millrace.simulation.kernel;

import java.util.ArrayList;
import java.util.List;
import millrace.runtime.service.ServiceThreads;

/** A simulated process: a group of threads that are killed, paused and resumed together. */
public final class SimulatedProcess {
    /** One of so many calls of {@link #mayYield} switches to another thread. */
    private static final int ONE_YIELD_OF = 3;

    private final Scheduler scheduler;
    private final String name;
    private final ServiceThreads threads;
    private final List<Runnable> onKilled = new ArrayList<>();
    private final List<Runnable> held = new ArrayList<>();
    private volatile boolean killed;
    private boolean paused;

    SimulatedProcess(Scheduler scheduler, String name) {
        this.scheduler = scheduler;
        this.name = name;
        this.threads = new SimulatedThreads(scheduler, this);
    }

    public String name() {
        return name;
    }

    public Scheduler scheduler() {
        return scheduler;
    }

    /** Creates the threads of the process; their waits use simulated time. */
    public ServiceThreads threads() {
        return threads;
    }

    public boolean alive() {
        return !killed;
    }

    /** Whether the process is neither killed nor paused. */
    public boolean running() {
        return !killed && !paused;
    }

    /**
     * Kills the process, as {@code kill -9} does: its threads do not run any more, not even their finally blocks;
     * requests that it has sent arrive. Does not return to a thread of the process.
     */
    public void kill() {
        if (killed) {
            return;
        }
        scheduler.trace().add("kill " + name);
        killed = true;
        var unused = scheduler.take(this);
        held.clear();
        onKilled.forEach(Runnable::run);
        if (scheduler.running() == this) {
            end();
        }
    }

    /** Pauses the process, as SIGSTOP does: its threads and heartbeats stop until {@link #resume}. */
    public void pause() {
        if (running()) {
            scheduler.trace().add("pause " + name);
            paused = true;
            held.addAll(scheduler.take(this));
        }
    }

    public void resume() {
        if (paused && !killed) {
            scheduler.trace().add("resume " + name);
            paused = false;
            held.forEach(continuation -> scheduler.add(this, continuation));
            held.clear();
        }
    }

    /** Runs an action when the process is killed. */
    public void onKilled(Runnable action) {
        onKilled.add(action);
    }

    /**
     * A point at which the seed may switch to another thread; for calls that leave the memory of the process.
     *
     * @throws ProcessKilled where the process was killed, and the caller is not one of its threads
     */
    @SuppressWarnings("ThreadPriorityCheck") // the thread scheduler is ours
    public void mayYield() {
        if (killed) {
            throw new ProcessKilled(name);
        }
        if (!Thread.currentThread().isVirtual()) {
            throw new IllegalStateException("only simulated threads may call this");
        }
        if (scheduler.running() == this && scheduler.random().nextInt(ONE_YIELD_OF) == 0) {
            Thread.yield();
        }
    }

    /** Called by the JDK when a thread of the process can continue. */
    void execute(Runnable continuation) {
        if (killed) {
            return; // the thread is garbage
        }
        if (paused) {
            held.add(continuation);
        } else {
            scheduler.add(this, continuation);
        }
    }

    void failed(Throwable error) {
        if (!killed) {
            scheduler.failed(error);
        }
    }

    /** Ends the calling thread: it yields and is never continued. */
    @SuppressWarnings("ThreadPriorityCheck") // the thread scheduler is ours
    private void end() {
        Thread.yield();
        throw new ProcessKilled(name);
    }
}
