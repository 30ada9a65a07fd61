package millrace.processor.ledger.streams;

import java.util.function.Supplier;
import millrace.runtime.service.ServiceThreads;
import millrace.runtime.service.SteadyClock;
import org.apache.kafka.common.utils.Time;

/** The time of Kafka Streams. By the wall clock it would punctuate and commit late by as much as that is set back. */
final class SteadyTime implements Time {
    private final ServiceThreads threads = ServiceThreads.ofMachine();
    private final SteadyClock clock = new SteadyClock(threads);

    @Override
    public long milliseconds() {
        return clock.millis();
    }

    @Override
    public long nanoseconds() {
        return threads.nanoTime();
    }

    @Override
    public void sleep(long millis) {
        SYSTEM.sleep(millis);
    }

    @Override
    public void waitObject(Object object, Supplier<Boolean> condition, long deadline) throws InterruptedException {
        SYSTEM.waitObject(object, condition, SYSTEM.milliseconds() + deadline - milliseconds());
    }
}
