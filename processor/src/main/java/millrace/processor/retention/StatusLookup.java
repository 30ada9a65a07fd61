package millrace.processor.retention;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import millrace.contracts.reports.ReportStatus;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/** Looks up the statuses of reports in the ledgers of all processors. */
interface StatusLookup {
    /**
     * The result.
     *
     * @param reports the newest status of each requested report that the ledgers know
     * @param mark the mark of the ledgers from now on
     */
    record Known(Map<UUID, ReportStatus> reports, LedgerMark mark) {}

    /**
     * Looks up reports. The result includes every command that was acknowledged before the call, so a missing report
     * was never requested, or is forgotten.
     *
     * @param before the mark that the ledgers must have; null for any ledgers
     * @throws SweepRefusedException where the ledgers are others, or have lost records
     * @throws IOException if the ledgers are behind
     * @throws KafkaException if Kafka is unavailable
     */
    Known of(Collection<UUID> reports, @Nullable LedgerMark before) throws IOException;

    /**
     * Returns the mark of the ledgers from now on, reading as little as that needs.
     *
     * @param before the mark that the ledgers must have
     * @throws SweepRefusedException where the ledgers are others, or have lost records
     * @throws IOException if the ledgers are behind
     * @throws KafkaException if Kafka is unavailable
     */
    default LedgerMark mark(LedgerMark before) throws IOException {
        return of(List.of(), before).mark();
    }
}
