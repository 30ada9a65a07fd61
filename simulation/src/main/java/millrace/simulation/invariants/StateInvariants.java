package millrace.simulation.invariants;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;
import millrace.contracts.Json;
import millrace.contracts.topics.ConsumerGroups;
import millrace.processor.ledger.decide.LedgerReport;
import millrace.processor.ledger.state.LedgerStores;
import millrace.simulation.kafka.SimulatedKafka;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Checks, when all reports have ended, that the ledger's state has whole only those that can be retried. */
public final class StateInvariants {
    private static final String CHANGELOG = ConsumerGroups.PROCESSOR + "-" + LedgerStores.STORE + "-changelog";
    private static final int UUID_LENGTH = 36;

    private StateInvariants() {}

    public static void end(SimulatedKafka kafka, int partitions) {
        for (int partition = 0; partition < partitions; partition++) {
            Map<String, byte[]> state = new HashMap<>();
            for (ConsumerRecord<String, byte[]> record : kafka.committed(CHANGELOG, partition, 0)) {
                if (record.value() == null) {
                    state.remove(record.key());
                } else {
                    state.put(record.key(), record.value());
                }
            }
            state.forEach((key, value) -> check(state, key, value));
        }
    }

    private static void check(Map<String, byte[]> state, String key, byte[] value) {
        String kind = key.substring(0, key.indexOf('/'));
        switch (kind) {
            case LedgerStores.REPORTS -> {
                LedgerReport report = decoded(value);
                InvariantViolated.check(
                        !report.open() && !report.over(), "the ledger keeps a report that has ended: %s", report);
            }
            case LedgerStores.REQUESTS ->
                InvariantViolated.check(
                        state.containsKey(LedgerStores.REPORTS + key.substring(kind.length())),
                        "the ledger keeps a request without its report: %s",
                        key);
            case LedgerStores.AGENDA -> {
                // time / account, or time / account / report
                String item = key.substring(key.indexOf('/', kind.length() + 1) + 1);
                boolean ofReport = item.length() > UUID_LENGTH && item.charAt(item.length() - UUID_LENGTH - 1) == '/';
                InvariantViolated.check(
                        !ofReport || state.containsKey(LedgerStores.REPORTS + "/" + item),
                        "the ledger keeps a timer without its report: %s",
                        key);
            }
            case LedgerStores.ANSWERS, LedgerStores.VERSIONS ->
                InvariantViolated.check(false, "the ledger keeps what is of an open report: %s", key);
            default -> {}
        }
    }

    private static LedgerReport decoded(byte[] value) {
        try {
            return Json.MAPPER.readValue(value, LedgerReport.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
