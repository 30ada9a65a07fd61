package millrace.processor;

import java.time.InstantSource;
import millrace.runtime.service.ServiceThreads;

/** The threads and clocks of the machine. A test overrides the clock that it moves. */
public class TestThreads implements ServiceThreads {
    private final ServiceThreads machine = ServiceThreads.ofMachine();

    @Override
    public InstantSource clock() {
        return machine.clock();
    }

    @Override
    public long nanoTime() {
        return machine.nanoTime();
    }

    @Override
    public Thread.Builder platform() {
        return machine.platform();
    }

    @Override
    public Thread.Builder virtual() {
        return machine.virtual();
    }

    @Override
    public void parkNanos(long nanos) {
        machine.parkNanos(nanos);
    }
}
