package millrace.simulation.ledger;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import millrace.processor.ledger.streams.LedgerTransaction;
import millrace.processor.ledger.streams.LocalWorkers;
import millrace.runtime.settings.KafkaSettings;
import millrace.simulation.kafka.SimulatedKafka;
import millrace.simulation.kernel.SimulatedProcess;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;
import org.apache.kafka.streams.state.StoreBuilder;

/** Runs the ledger in one process: the real account steps in a model of Kafka Streams. */
public final class LedgerProcess {
    private final SimulatedProcess process;
    private final KafkaSettings settings;
    private final Function<Supplier<LedgerTransaction>, ProcessorSupplier<String, byte[], String, byte[]>> steps;
    private final LocalWorkers workers;
    private final Consumer<Throwable> onFatal;
    private final SimulatedKafka kafka;
    private volatile boolean stopped;
    private volatile boolean ended;

    /**
     * @param settings with the instance id, which is the same after a restart
     * @param steps creates the supplier of steps, given the transaction of the thread
     * @param workers to which small reports are handed in memory
     * @param onFatal called with an error that would stop Kafka Streams
     */
    public LedgerProcess(
            SimulatedProcess process,
            SimulatedKafka kafka,
            KafkaSettings settings,
            Function<Supplier<LedgerTransaction>, ProcessorSupplier<String, byte[], String, byte[]>> steps,
            LocalWorkers workers,
            Consumer<Throwable> onFatal) {
        this.process = process;
        this.kafka = kafka;
        this.settings = settings;
        this.steps = steps;
        this.workers = workers;
        this.onFatal = onFatal;
    }

    /** Creates the changelog topics, with as many partitions as the commands have. */
    public static void createTopics(
            SimulatedKafka kafka, ProcessorSupplier<String, byte[], String, byte[]> steps, int partitions) {
        for (StoreBuilder<?> store : List.copyOf(steps.stores())) {
            kafka.createTopic(LedgerConfig.changelog(store.name()), partitions);
        }
    }

    /** Starts the thread. */
    public void start() {
        var unused =
                process.threads().platform().name("ledger-" + process.name()).start(this::run);
    }

    /** Makes the thread commit, leave the group and end; {@link #ended} is true afterwards. */
    public void stop() {
        stopped = true;
    }

    public boolean ended() {
        return ended;
    }

    private void run() {
        try {
            var transaction = new LedgerTransaction(process.threads(), LedgerConfig.COMMIT_INTERVAL, workers);
            var thread = new LedgerThread(
                    LedgerConfig.of(settings),
                    kafka.clientsOf(process),
                    steps.apply(() -> transaction),
                    transaction,
                    process.threads());
            thread.runUntil(() -> stopped);
            ended = true;
        } catch (RuntimeException | Error e) {
            onFatal.accept(e);
        }
    }
}
