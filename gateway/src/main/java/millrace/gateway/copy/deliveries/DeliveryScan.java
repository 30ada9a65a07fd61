package millrace.gateway.copy.deliveries;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import millrace.gateway.copy.database.RowKey;
import millrace.gateway.copy.database.Rows;
import org.jspecify.annotations.Nullable;

/**
 * The deliveries of an account that are selected by endpoint, status and time, in the order of their times, day after day.
 * It reads the rows of these alone, however many others there are. To be closed.
 */
final class DeliveryScan implements Iterator<DeliveryView>, AutoCloseable {
    private final StoredDeliveries stored;
    private final String accountId;
    private final DeliverySelection selection;
    private final boolean newestFirst;
    private final @Nullable DeliveryCursor after;
    private final long from;
    private final long to;
    /** The day that is read next, and the one after which there is none. */
    private int day;

    private final int lastDay;
    /** Those of the day that is being read, one for each status. */
    private List<Rows> open = List.of();

    private @Nullable DeliveryCursor last;
    private @Nullable DeliveryView next;

    private DeliveryScan(
            StoredDeliveries stored,
            String accountId,
            DeliverySelection selection,
            boolean newestFirst,
            @Nullable DeliveryCursor after) {
        this.stored = stored;
        this.accountId = accountId;
        this.selection = selection;
        this.newestFirst = newestFirst;
        this.after = after;
        this.from = Math.max(selection.from(), stored.kept().since());
        this.to = after == null ? selection.to() : Math.min(selection.to(), after.occurredAt());
        int oldest = StoredDeliveries.day(from);
        // Where that is an event's own time, there may be others of the time before it.
        int newest = Math.min(StoredDeliveries.day(to), stored.kept().last());
        this.day = newestFirst ? newest : oldest;
        this.lastDay = newestFirst ? oldest : newest;
    }

    /** @param after null from the newest */
    static DeliveryScan newest(
            StoredDeliveries stored, String accountId, DeliverySelection selection, @Nullable DeliveryCursor after) {
        return new DeliveryScan(stored, accountId, selection, true, after);
    }

    static DeliveryScan oldest(StoredDeliveries stored, String accountId, DeliverySelection selection) {
        return new DeliveryScan(stored, accountId, selection, false, null);
    }

    @Override
    public boolean hasNext() {
        while (next == null) {
            byte[] row = advance();
            if (row == null) {
                return false;
            }
            DeliveryCursor place = at();
            // A delivery may have got another status since the rows were opened.
            DeliveryView found = isPlain() ? DeliveryEntry.of(row).view(place) : stored.delivery(accountId, place);
            next = found != null && selection.matches(found) ? found : null;
        }
        return true;
    }

    @Override
    public DeliveryView next() {
        if (!hasNext() || next == null) {
            throw new NoSuchElementException();
        }
        DeliveryView found = next;
        next = null;
        return found;
    }

    /** Counts those that are left, as far as there are so many. */
    long countRest(long most) {
        long rest = next == null ? 0 : 1;
        while (rest < most && advance() != null) {
            rest++;
        }
        return rest;
    }

    private DeliveryCursor at() {
        if (last == null) {
            throw new NoSuchElementException();
        }
        return last;
    }

    /** Whether deliveries are read, and not the rows of a status or an endpoint, which lead to them. */
    private boolean isPlain() {
        return selection.endpoint() == null && selection.states().isEmpty();
    }

    /** The value of the next row, whose place is the last one then; null at the end. */
    private byte @Nullable [] advance() {
        while (true) {
            Rows first = first();
            if (first == null) {
                if (!openDay()) {
                    return null;
                }
                continue;
            }
            DeliveryCursor place = StoredDeliveries.place(first.key());
            if (newestFirst ? place.occurredAt() < from : place.occurredAt() >= to) {
                closeRows();
                day = lastDay + (newestFirst ? -1 : 1);
                return null;
            }
            byte[] row = first.value();
            first.next();
            if (!place.equals(last)) { // else its status has changed while the rows were opened
                last = place;
                return row;
            }
        }
    }

    /** The rows that are next in the order of places; null where all are read. */
    private @Nullable Rows first() {
        Rows first = null;
        byte[] firstKey = {};
        for (Rows rows : open) {
            if (rows.present()) {
                byte[] key = rows.key();
                if (first == null || isBefore(key, firstKey)) {
                    first = rows;
                    firstKey = key;
                }
            }
        }
        return first;
    }

    private boolean isBefore(byte[] key, byte[] other) {
        int order = Arrays.compareUnsigned(
                key,
                key.length - DeliveryCursor.BYTES,
                key.length,
                other,
                other.length - DeliveryCursor.BYTES,
                other.length);
        return newestFirst ? order > 0 : order < 0;
    }

    /** Opens the rows of the next day; returns false where there is none. */
    private boolean openDay() {
        closeRows();
        if (newestFirst ? day < lastDay : day > lastDay) {
            return false;
        }
        List<Rows> rows = new ArrayList<>();
        open = rows;
        if (isPlain()) {
            rows.add(open(StoredDeliveries.deliveries(day, accountId), StoredDeliveries.deliveries(day, accountId)));
        } else {
            // In the order that deliveries go through: what moves on meanwhile is seen twice, and not left out.
            for (DeliveryStatus status : DeliveryStatus.values()) {
                if (isWanted(status)) {
                    rows.add(open(prefix(status), prefix(status)));
                }
            }
        }
        day += newestFirst ? -1 : 1;
        return true;
    }

    private boolean isWanted(DeliveryStatus status) {
        Set<DeliveryStatus> states = selection.states();
        return states.isEmpty() || states.contains(status);
    }

    private RowKey prefix(DeliveryStatus status) {
        return StoredDeliveries.statuses(day, accountId, selection.endpoint(), status);
    }

    /** @param bound the same as the prefix, to be made longer */
    private Rows open(RowKey prefix, RowKey bound) {
        if (!newestFirst) {
            return stored.database().from(bound.number(from), prefix);
        }
        if (after != null && after.occurredAt() == to) {
            return stored.database().backwards(prefix, StoredDeliveries.at(after, bound));
        }
        return stored.database().backwards(prefix, to == Long.MAX_VALUE ? null : bound.number(to));
    }

    private void closeRows() {
        open.forEach(Rows::close);
        open = List.of();
    }

    @Override
    public void close() {
        closeRows();
    }
}
