package millrace.gateway.copy.reports;

import millrace.gateway.copy.database.LocalStore;
import millrace.gateway.copy.database.RowTable;

/**
 * A table of the read model on the disk: the first byte of its rows' keys. It has what the ledger wrote, and nothing
 * else. A change of keys or values is a new {@link #FORM}.
 */
enum ReportTable implements RowTable {
    /** Name: how many reports there are, when records were written last, and what {@link LocalStore} keeps there. */
    META(LocalStore.META.code()),
    /** Topic, partition: the offset that follows, and the leader epoch of what comes before it. */
    OFFSETS(2),
    /** Account: its balance. */
    ACCOUNTS(3),
    /** Account, inverted time, report: its newest status. The order of the history, and nearly that of the topic. */
    STATUSES(4),
    /** Report: its account and time, which lead to its status. */
    PLACES(5),
    /** Status, account, inverted time, report: its dataset. Of reports that are not complete. */
    UNFINISHED(6),
    /** Report: where its request is, and its Idempotency-Key; of requests that are read, see {@link ModelReader}. */
    REQUESTS(7),
    /** Account, Idempotency-Key, report: nothing; the report was requested with the key. */
    KEYS(8),
    /** Report: its Idempotency-Key, which stays taken, or nothing; the report is erased and not yet forgotten. */
    ERASED(9),
    /** Account, name of a tag, its value, inverted time, report: nothing; the report has the tag. */
    TAGS(10);

    /** Count it up where an earlier build's rows cannot be read; the store is then built again. */
    static final int FORM = 5;

    private final byte code;

    ReportTable(int code) {
        this.code = (byte) code;
    }

    @Override
    public byte code() {
        return code;
    }
}
