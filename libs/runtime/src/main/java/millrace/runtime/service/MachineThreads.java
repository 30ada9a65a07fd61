package millrace.runtime.service;

import java.time.InstantSource;
import java.util.concurrent.locks.LockSupport;

/** The threads and clocks of the machine that this process runs on. */
enum MachineThreads implements ServiceThreads {
    INSTANCE;

    @Override
    public InstantSource clock() {
        return InstantSource.system();
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public Thread.Builder platform() {
        return Thread.ofPlatform().daemon();
    }

    @Override
    public Thread.Builder virtual() {
        return Thread.ofVirtual();
    }

    @Override
    public void parkNanos(long nanos) {
        LockSupport.parkNanos(nanos);
    }
}
