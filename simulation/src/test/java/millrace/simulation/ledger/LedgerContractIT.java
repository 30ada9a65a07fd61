package millrace.simulation.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import millrace.contracts.topics.Topic;
import millrace.contracts.topics.Topics;
import millrace.processor.ledger.streams.ReportTopology;
import millrace.simulation.processor.SampleCommands;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares the model of Kafka Streams to Kafka Streams. The same commands, crash and restarts lead to the same records
 * and state.
 */
class LedgerContractIT {
    private static final List<LedgerContractCommands.Command> SCRIPT = LedgerContractCommands.commands();
    /** The request of the large report. */
    private static final int CRASH = 4;

    private static final int HALF = 12;
    private static final int NEVER = 0;
    /** How many of their values a transaction leaves out depends on how much it decides. */
    private static final Set<Topic<?>> LAST_COUNTS = Set.of(Topics.REPORT_STATUS, Topics.ACCOUNT_STATE);

    private static final String CHANGELOG = LedgerConfig.changelog("ledger");

    @Test
    void theModelWritesWhatKafkaStreamsWrites(@TempDir Path folder) {
        Map<String, List<String>> model = play(new ModelLedger());
        Map<String, List<String>> real = play(new RealLedger(folder));
        assertThat(model).isEqualTo(real);
    }

    private static Map<String, List<String>> play(ContractLedger ledger) {
        try (ledger) {
            ledger.start(CRASH);
            ledger.send(SCRIPT.subList(0, HALF));
            ledger.awaitCrash();
            assertThat(ledger.committed(Topics.REPORT_EVENTS.name()))
                    .as("nothing is seen of the transaction that was open")
                    .noneMatch(event ->
                            event.key().equals(SampleCommands.id("large").toString()));
            ledger.start(NEVER);
            ledger.awaitCommitted(HALF);
            ledger.stop();

            ledger.start(NEVER);
            ledger.send(SCRIPT.subList(HALF, SCRIPT.size()));
            ledger.awaitCommitted(SCRIPT.size());
            return written(ledger);
        }
    }

    private static Map<String, List<String>> written(ContractLedger ledger) {
        Map<String, List<String>> written = new LinkedHashMap<>();
        for (Topic<?> topic : ReportTopology.outputs()) {
            List<String> records = LAST_COUNTS.contains(topic)
                    ? ComparableRecord.newest(ledger.committed(topic.name()))
                    : ledger.committed(topic.name()).stream()
                            .map(ComparableRecord::of)
                            .toList();
            assertThat(records).as(topic.name()).isNotEmpty();
            written.put(topic.name(), records);
        }
        written.put("state", ComparableRecord.state(ledger.committed(CHANGELOG)));
        return written;
    }
}
