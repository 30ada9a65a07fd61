package millrace.simulation.kernel;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Runs simulated threads one at a time, on the thread that calls {@link #run}. A step runs one simulated thread until
 * it blocks or yields, or one event. Each step of a thread takes a microsecond of simulated time. While all threads
 * wait, time jumps to the next event.
 */
public final class Scheduler implements AutoCloseable {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final long STEP_NANOS = 1_000;

    private final RandomGenerator random;
    private final Trace trace = new Trace(this);
    private final Timers timers = new Timers();
    private final List<Step> ready = new ArrayList<>();
    private final List<Runnable> checks = new ArrayList<>();
    private final Map<String, Duration> clocks = new HashMap<>();
    private final Thread carrier = Thread.currentThread();
    private long nanos;
    private boolean closed;
    private @Nullable SimulatedProcess running;
    private volatile @Nullable Throwable failure;

    private record Step(SimulatedProcess process, Runnable continuation) {}

    /** {@link #run} must be called by the thread that creates the scheduler. */
    public Scheduler(long seed) {
        this.random = new SplittableRandom(seed);
    }

    /** The random numbers for everything in this simulation. */
    public RandomGenerator random() {
        return random;
    }

    /** Simulated time since the simulation began, in nanoseconds. */
    public long nanos() {
        return nanos;
    }

    /** The right time. */
    public Instant now() {
        return START.plusNanos(nanos);
    }

    /** What the wall clock of a machine says, by the name of its processes. */
    Instant now(String machine) {
        return now().plus(clocks.getOrDefault(machine, Duration.ZERO));
    }

    /**
     * Sets the wall clock of a machine.
     *
     * @param ahead of the right time; may be negative
     */
    public void setClock(String machine, Duration ahead) {
        trace.add("clock of " + machine + " " + ahead);
        clocks.put(machine, ahead);
    }

    public Trace trace() {
        return trace;
    }

    /** Creates a process. Its name may be that of a killed process. */
    public SimulatedProcess process(String name) {
        return new SimulatedProcess(this, name);
    }

    /** Runs an event later, on the thread that runs the simulation. It must not block. */
    public void after(Duration time, Runnable event) {
        var unused = timer(time.toNanos(), event);
    }

    /** Runs an event as {@link #after}; it can be cancelled. */
    public Timer timer(long inNanos, Runnable event) {
        return timers.add(nanos + Math.clamp(inNanos, 0, Long.MAX_VALUE - nanos), event);
    }

    /** Runs a check after each step. Its exceptions end {@link #run}. */
    public void afterEachStep(Runnable check) {
        checks.add(check);
    }

    /**
     * Runs until the condition holds or the time has passed. Throws the exceptions of checks and events.
     *
     * @param until evaluated after each step
     * @return whether the condition holds
     * @throws SimulatedThreadFailure where a simulated thread ended with an exception
     */
    public boolean run(BooleanSupplier until, Duration simulatedAtMost) {
        if (Thread.currentThread() != carrier) {
            throw new IllegalStateException("only " + carrier.getName() + " may run this simulation");
        }
        long deadline = nanos + simulatedAtMost.toNanos();
        while (!until.getAsBoolean()) {
            boolean stepped = step(deadline);
            if (failure != null) {
                throw new SimulatedThreadFailure(failure);
            }
            if (!stepped) {
                return false;
            }
            checks.forEach(Runnable::run);
        }
        return true;
    }

    /** Stops the simulation. Threads that have not ended become garbage. */
    @Override
    public void close() {
        closed = true;
        ready.clear();
        timers.clear();
    }

    private boolean step(long deadline) {
        Timer next = timers.peek();
        if (nanos < deadline && !ready.isEmpty() && (next == null || next.at() > nanos)) {
            goOn(draw());
            nanos += STEP_NANOS;
            return true;
        }
        if (nanos >= deadline || next == null || next.at() > deadline) {
            nanos = Math.max(nanos, deadline);
            return false;
        }
        timers.remove();
        nanos = Math.max(nanos, next.at());
        next.fire();
        return true;
    }

    private Step draw() {
        int index = ready.size() == 1 ? 0 : random.nextInt(ready.size());
        trace.mix(index * 1_000_003L + ready.size());
        Step last = ready.removeLast();
        return index == ready.size() ? last : ready.set(index, last);
    }

    private void goOn(Step step) {
        running = step.process();
        try {
            step.continuation().run();
        } finally {
            running = null;
        }
    }

    /** The process whose thread is running, or null within an event. */
    @Nullable
    SimulatedProcess running() {
        return running;
    }

    void add(SimulatedProcess process, Runnable continuation) {
        if (!Thread.currentThread().isVirtual() && Thread.currentThread() != carrier) {
            failed(new IllegalStateException(
                    "a thread of " + process.name() + " was woken from outside of the simulation," + " by "
                            + Thread.currentThread().getName() + ": does it wait by the machine's clock?"));
        } else if (!closed) {
            ready.add(new Step(process, continuation));
        }
    }

    /** Removes and returns the ready threads of a process. */
    List<Runnable> take(SimulatedProcess process) {
        List<Runnable> taken = ready.stream()
                .filter(s -> s.process() == process)
                .map(Step::continuation)
                .toList();
        ready.removeIf(s -> s.process() == process);
        return taken;
    }

    void failed(Throwable error) {
        if (failure == null && !closed) {
            failure = error;
        }
    }
}
