package millrace.processor.sweeping;

import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.UUID;
import millrace.contracts.reports.ReportStatus;
import org.jspecify.annotations.Nullable;

/** What the ledgers of all processors say of reports. */
interface StatusLookup {
    /**
     * What they say.
     *
     * @param reports the newest status of each report that they know, of those that were asked for
     * @param mark what they can be known by from now on
     */
    record Known(Map<UUID, ReportStatus> reports, LedgerMark mark) {}

    /**
     * Every command that was acknowledged before the call is in the answer: a report that is missing there was never asked for, or
     * is forgotten.
     *
     * @param before what the ledgers that are meant were known by; null where any are
     * @throws SweepRefusedException where these are others, or have lost a part of their history
     * @throws IOException where they are behind, or Kafka does not answer
     */
    Known of(Collection<UUID> reports, @Nullable LedgerMark before) throws IOException;
}
