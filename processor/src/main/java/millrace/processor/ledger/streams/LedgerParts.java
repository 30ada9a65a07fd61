package millrace.processor.ledger.streams;

import java.time.InstantSource;
import millrace.processor.ledger.decide.Ledger;
import millrace.processor.warehouse.DataVersions;

/**
 * The components that all account steps of a process share.
 *
 * @param wall the wall clock
 */
record LedgerParts(
        Ledger ledger,
        DataVersions versions,
        LedgerRecords records,
        LedgerMetrics metrics,
        CommandListener listener,
        InstantSource wall) {}
