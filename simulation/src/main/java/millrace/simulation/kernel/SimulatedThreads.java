package millrace.simulation.kernel;

import java.lang.reflect.Constructor;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;
import millrace.runtime.service.ServiceThreads;

/** Creates the threads of one process: virtual threads whose continuations the scheduler runs. */
final class SimulatedThreads implements ServiceThreads {
    private static final Constructor<?> BUILDER = builder();

    private final Scheduler scheduler;
    private final SimulatedProcess process;

    SimulatedThreads(Scheduler scheduler, SimulatedProcess process) {
        this.scheduler = scheduler;
        this.process = process;
    }

    @Override
    public InstantSource clock() {
        return () -> scheduler.now(process.name());
    }

    @Override
    public long nanoTime() {
        return scheduler.nanos();
    }

    @Override
    public Thread.Builder platform() {
        return virtual();
    }

    @Override
    public Thread.Builder virtual() {
        Executor executor = process::execute;
        try {
            return ((Thread.Builder) BUILDER.newInstance(executor))
                    .uncaughtExceptionHandler((thread, error) -> process.failed(error));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot make simulated threads", e);
        }
    }

    @Override
    public void parkNanos(long nanos) {
        if (nanos <= 0) {
            return;
        }
        Thread thread = Thread.currentThread();
        Timer timer = scheduler.timer(nanos, () -> LockSupport.unpark(thread));
        LockSupport.park(this);
        timer.cancel();
    }

    /** The JDK supports custom schedulers of virtual threads internally only. */
    private static Constructor<?> builder() {
        // Else the JDK would keep threads of killed processes for thread dumps.
        System.setProperty("jdk.trackAllThreads", "false");
        try {
            Constructor<?> constructor = Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder")
                    .getDeclaredConstructor(Executor.class);
            constructor.setAccessible(true);
            return constructor;
        } catch (ReflectiveOperationException | RuntimeException e) {
            throw new IllegalStateException("needs --add-opens java.base/java.lang=ALL-UNNAMED", e);
        }
    }
}
