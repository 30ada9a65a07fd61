package millrace.simulation.kernel;

import java.util.ArrayList;
import java.util.List;
import millrace.runtime.service.ServiceThreads;

/** A process of a simulation, from its start to its death: the threads that stop together. */
public final class SimulatedProcess {
    /** Of so many calls that may be, one is a switch to another thread. */
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

    /** What its threads are made by; their waits end by simulated time. */
    public ServiceThreads threads() {
        return threads;
    }

    public boolean alive() {
        return !killed;
    }

    /** Whether its threads may run: neither killed nor paused. */
    public boolean running() {
        return !killed && !paused;
    }

    /**
     * As kill -9: no thread of it does anything any more, not even what stands in a finally; what it has sent arrives.
     * Called by one of its own threads, it does not return.
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

    /** As SIGSTOP: its threads stand still and its heartbeats stop until {@link #resume}. */
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

    /** Runs an action when it is killed. */
    public void onKilled(Runnable action) {
        onKilled.add(action);
    }

    /**
     * Where the seed may let another thread go on; for calls that leave the process's memory.
     *
     * @throws ProcessKilled where the caller is none of its threads, and it was killed
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

    /** What the JDK calls when a thread of it can go on. */
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

    /** Ends the calling thread: it yields, and nobody lets it go on. */
    @SuppressWarnings("ThreadPriorityCheck") // the thread scheduler is ours
    private void end() {
        Thread.yield();
        throw new ProcessKilled(name);
    }
}
