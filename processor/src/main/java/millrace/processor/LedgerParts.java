package millrace.processor;

import millrace.processor.account.Ledger;
import millrace.processor.warehouse.DataVersions;

/** What the account steps of a process share. */
record LedgerParts(Ledger ledger, DataVersions versions, Outbox outbox, LedgerFigures figures) {}
