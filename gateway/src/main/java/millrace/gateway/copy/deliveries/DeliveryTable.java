package millrace.gateway.copy.deliveries;

import millrace.gateway.copy.database.LocalDatabase;
import millrace.gateway.copy.database.LocalStore;
import millrace.gateway.copy.database.RowBatch;
import millrace.gateway.copy.database.RowKey;
import millrace.gateway.copy.database.RowTable;
import millrace.gateway.copy.database.Rows;

/**
 * A table of the deliveries: the first byte of its rows' keys. In most of them the day of the event follows, so that what
 * is too old is one range of keys. A change of keys or values is a new {@link #FORM}.
 */
enum DeliveryTable implements RowTable {
    /** Name: the first day that there are deliveries of, and what {@link LocalStore} keeps there. */
    META(LocalStore.META.code()),
    /** Topic, partition: the offset that follows, and the leader epoch of what comes before it. */
    OFFSETS(2),
    /** Day, account, time, event: the delivery. */
    DELIVERIES(3),
    /** Day, account, event: its time, which leads to the delivery. */
    TIMES(4),
    /** Day, account, status, time, event: nothing; the delivery has the status. */
    STATUSES(5),
    /** Day, account, endpoint, status, time, event: nothing; the delivery goes there and has the status. */
    ENDPOINT_STATUSES(6),
    /** Day, account, origin: what the endpoint's deliveries add up to. */
    ENDPOINTS(7),
    /** Day of the record, account, event: what was read about an event before the event. */
    EARLY(8),
    /** Report: the day on which it was erased. Nothing that is read of it later is kept. */
    ERASED(9);

    /** Count it up where an earlier build's rows cannot be read; the store is then built again. */
    static final int FORM = 2;

    private final byte code;

    DeliveryTable(int code) {
        this.code = (byte) code;
    }

    @Override
    public byte code() {
        return code;
    }

    /** Deletes all rows of days before this one. Erased reports are few, so that each of them is looked at. */
    static void deleteBefore(LocalDatabase database, int day) {
        try (Rows erased = database.all(RowKey.in(ERASED));
                RowBatch over = database.batch()) {
            for (; erased.present(); erased.next()) {
                if (StoredDeliveries.number(erased.value()) < day) {
                    over.delete(StoredDeliveries.erasedKey(StoredDeliveries.erased(erased.key())));
                }
            }
            database.write(over);
        }
        for (DeliveryTable table : values()) {
            switch (table) {
                case META, OFFSETS, ERASED -> {}
                case DELIVERIES, TIMES, STATUSES, ENDPOINT_STATUSES, ENDPOINTS, EARLY ->
                    database.deleteRange(RowKey.in(table), RowKey.in(table).day(day));
            }
        }
    }
}
