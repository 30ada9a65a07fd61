package millrace.simulation.ledger;

import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.state.StoreBuilder;

/**
 * Account steps that crash after the records of a command are written and before they are committed.
 *
 * @param left number of commands to decide until the crash
 */
record CrashingSteps(ProcessorSupplier<String, byte[], String, byte[]> steps, AtomicInteger left, Runnable crash)
        implements ProcessorSupplier<String, byte[], String, byte[]> {
    @Override
    public Processor<String, byte[], String, byte[]> get() {
        Processor<String, byte[], String, byte[]> step = steps.get();
        return new Processor<>() {
            @Override
            public void init(ProcessorContext<String, byte[]> context) {
                step.init(context);
            }

            @Override
            public void process(Record<String, byte[]> record) {
                step.process(record);
                if (left.decrementAndGet() == 0) {
                    crash.run();
                }
            }

            @Override
            public void close() {
                step.close();
            }
        };
    }

    @Override
    public Set<StoreBuilder<?>> stores() {
        return steps.stores();
    }
}
