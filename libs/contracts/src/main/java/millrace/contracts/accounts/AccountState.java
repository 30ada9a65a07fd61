package millrace.contracts.accounts;

import millrace.contracts.reports.Status;

/**
 * The newest balance of an account: {@code granted = remaining + reserved + used}.
 *
 * @param openReports reports in {@link Status#PROCESSING}
 * @param ledgerSequence sequence of the last ledger entry that is included
 */
public record AccountState(
        String accountId,
        long granted,
        long reserved,
        long used,
        long remaining,
        int openReports,
        long ledgerSequence) {}
