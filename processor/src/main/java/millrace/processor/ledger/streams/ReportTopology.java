package millrace.processor.ledger.streams;

import java.util.List;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.processor.api.ProcessorSupplier;

/**
 * The topology of the ledger. The commands of an account arrive in one order, one step decides them, and nothing else
 * writes these topics.
 *
 * <pre>
 * internal.account-commands ──► account-step ──┬─► report-events, report-status, credit-ledger     public
 *                               with           ├─► internal.account-state,
 *                               LedgerStores   │   internal.report-requests                        read by gateways
 *                                              ├─► internal.slices, internal.small-reports         read by render workers
 *                                              ├─► internal.file-deletions                         read by file deleters
 *                                              ├─► internal.deliveries                             read by notifiers
 *                                              └─► internal.command-dead-letters
 * </pre>
 */
public final class ReportTopology {
    static final String SOURCE = "account-commands";
    static final String STEP = "account-step";

    /** The topics that the step writes; each sink has the name of its topic. */
    private static final List<Topic<?>> OUTPUTS = List.of(
            Topics.REPORT_EVENTS,
            Topics.REPORT_STATUS,
            Topics.CREDIT_LEDGER,
            Topics.ACCOUNT_STATE,
            Topics.REPORT_REQUESTS,
            Topics.SLICES,
            Topics.SMALL_REPORTS,
            Topics.FILE_DELETIONS,
            Topics.DELIVERIES,
            Topics.COMMAND_DEAD_LETTERS);

    private ReportTopology() {}

    /** The topics that the step writes. Each has a sink of the same name. */
    public static List<Topic<?>> outputs() {
        return OUTPUTS;
    }

    /**
     * Commands are read as bytes, so that a record that cannot be decoded reaches the dead letters unchanged.
     *
     * @param accountStep supplies its stores too
     */
    public static Topology of(ProcessorSupplier<String, byte[], String, byte[]> accountStep) {
        var topology = new Topology()
                .addSource(
                        SOURCE, new StringDeserializer(), new ByteArrayDeserializer(), Topics.ACCOUNT_COMMANDS.name())
                .addProcessor(STEP, accountStep, SOURCE);
        OUTPUTS.forEach(topic ->
                topology.addSink(topic.name(), topic.name(), new StringSerializer(), new ByteArraySerializer(), STEP));
        return topology;
    }
}
