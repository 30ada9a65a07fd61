package millrace.processor.ledger;

import millrace.processor.ledger.account.Ledger;
import millrace.processor.warehouse.DataVersions;

/** The components that all account steps of a process share. */
record LedgerParts(
        Ledger ledger, DataVersions versions, LedgerRecords records, LedgerMetrics metrics, CommandListener listener) {}
