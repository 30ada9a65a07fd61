package millrace.simulation.ledger;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import millrace.processor.ledger.decide.LedgerRules;
import millrace.processor.ledger.streams.AccountStepSupplier;
import millrace.processor.ledger.streams.LedgerTransaction;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;

/** A ledger with one partition, whose process can be started, crashed and stopped. */
interface ContractLedger extends AutoCloseable {
    /**
     * Starts a process.
     *
     * @param crashAfter number of commands that it decides; it crashes before it commits the last of them
     */
    void start(int crashAfter);

    void send(List<LedgerContractCommands.Command> commands);

    void awaitCrash();

    /** Waits until this number of commands is committed in total. */
    void awaitCommitted(int commands);

    /** Stops the process without a crash. */
    void stop();

    List<ConsumerRecord<String, byte[]>> committed(String topic);

    @Override
    void close();

    static ProcessorSupplier<String, byte[], String, byte[]> steps(
            Supplier<LedgerTransaction> transaction, InstantSource wall, int crashAfter, Runnable crash) {
        var rules = new LedgerRules(
                new LedgerRules.Slicing(10, 2, 8),
                new LedgerRules.Turns(2, 3, 2),
                new LedgerRules.Times(
                        Duration.ofMinutes(10),
                        Duration.ofDays(1),
                        Duration.ofDays(30),
                        Duration.ofDays(365),
                        Duration.ofDays(400),
                        Duration.ofDays(29)));
        var steps = new AccountStepSupplier(
                rules,
                dataset -> Optional.of("v1"),
                (report, file) -> null,
                new SimpleMeterRegistry(),
                transaction,
                wall);
        return new CrashingSteps(steps, new AtomicInteger(crashAfter), crash);
    }
}
