package millrace.gateway.copy.activity;

import millrace.gateway.copy.database.LocalDatabase;
import millrace.gateway.copy.database.LocalStore;
import millrace.gateway.copy.database.RowKey;
import millrace.gateway.copy.database.RowTable;

/**
 * A table of the store: the first byte of its rows' keys. In most of them a day follows, so that
 * what is too old is one range of keys. A change of keys or values is a new {@link #FORM}.
 */
enum Table implements RowTable {
    /** Name: the day that old days were deleted on, and what {@link millrace.gateway.copy.database.LocalStore} keeps there. */
    META(LocalStore.META.code(), Kept.ALWAYS),
    /** Topic, partition: the offset that follows, and the end of the feed's last record. */
    OFFSETS(2, Kept.ALWAYS),
    /** Topic, partition, day: the first offset of the day. */
    FEED_DAYS(3, Kept.ALWAYS),
    /** Account: sequence of its last ledger entry, and its last grant. */
    ACCOUNTS(4, Kept.ALWAYS),
    /** Day, account, topic, partition, offset: an event, or where it is. */
    FEED(5, Kept.EVENTS),
    /** Day, report, sequence: the report's status. */
    TIMELINE(6, Kept.EVENTS),
    /** Day, account, dataset: how its reports ended. */
    STATISTICS(7, Kept.EVENTS),
    /** Day, account, sequence: an entry of the ledger. */
    LEDGER(8, Kept.LEDGER),
    /** Day, report, sequence: nothing; there is an entry of the ledger about the report. */
    REPORT_ENTRIES(9, Kept.LEDGER),
    /** Day, account, dataset: credits used. */
    USAGE(10, Kept.LEDGER),
    /** {@link #period}, report: its dataset and its tags. */
    DATASETS(11, Kept.LEDGER_PERIODS),
    /** {@link #period}, report: credits used whose dataset is not known yet. */
    UNASSIGNED(12, Kept.LEDGER_PERIODS),
    /** {@link #period}, account, id of a grant or an expiry: its entry of the ledger. */
    MOVES(13, Kept.LEDGER_PERIODS),
    /** Topic, partition: the offset after the last record, and the leader epoch of that. */
    READ(14, Kept.ALWAYS),
    /** Day, account, tag, its value, dataset: credits used. */
    TAG_USAGE(15, Kept.LEDGER),
    /** Account, month: its signed statement. */
    STATEMENTS(16, Kept.ALWAYS),
    /** Id of a public key: when it was last announced, and the key as a JSON Web Key. */
    SIGNING_KEYS(17, Kept.ALWAYS);

    /** Count it up where an earlier build's rows cannot be read; the store is then built again. */
    public static final int FORM = 3;

    private final byte code;
    private final Kept kept;

    Table(int code, Kept kept) {
        this.code = (byte) code;
        this.kept = kept;
    }

    @Override
    public byte code() {
        return code;
    }

    /** What decides how long rows are kept. */
    private enum Kept {
        ALWAYS,
        EVENTS,
        LEDGER,
        LEDGER_PERIODS
    }

    /**
     * Deletes all rows of days before these.
     *
     * @param events the oldest day that is kept of what happened
     * @param ledger the oldest day that is kept of the ledger
     */
    public static void deleteBefore(LocalDatabase database, int events, int ledger) {
        for (Table table : values()) {
            switch (table.kept) {
                case ALWAYS -> {}
                case EVENTS ->
                    database.deleteRange(RowKey.in(table), RowKey.in(table).day(events));
                case LEDGER ->
                    database.deleteRange(RowKey.in(table), RowKey.in(table).day(ledger));
                case LEDGER_PERIODS ->
                    database.deleteRange(RowKey.in(table), RowKey.in(table).day(period(ledger)));
            }
        }
    }

    /** The 256 days that a day belongs to. A report's rows are found by it in two or three reads. */
    public static int period(int day) {
        return day >> 8;
    }
}
