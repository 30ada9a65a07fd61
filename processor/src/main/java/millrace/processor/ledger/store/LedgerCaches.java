package millrace.processor.ledger.store;

/**
 * Recently used accounts, reports and requests of all partitions of a stream thread, decoded. Requests are large, so each
 * kind has its own room. For that thread only.
 */
public final class LedgerCaches {
    /** As encoded bytes. Decoded values take two to four times as much. */
    private static final int ACCOUNTS_KEPT = 2 << 20;

    private static final int REPORTS_KEPT = 6 << 20;
    private static final int REQUESTS_KEPT = 6 << 20;

    final DecodedValues accounts = new DecodedValues(ACCOUNTS_KEPT);
    final DecodedValues reports = new DecodedValues(REPORTS_KEPT);
    final DecodedValues requests = new DecodedValues(REQUESTS_KEPT);
}
