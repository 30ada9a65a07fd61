package millrace.processor.ledger.state;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import millrace.processor.ledger.decide.Ledger;
import millrace.processor.ledger.decide.LedgerReport;
import millrace.processor.ledger.decide.PendingChanges;
import org.apache.kafka.streams.KeyValue;
import org.jspecify.annotations.Nullable;

/**
 * The timers of accounts and of reports that are not over, ordered by time, so that a tick reads only those that are
 * due. {@link Ledger#tick} is called for each.
 */
public final class LedgerTimers {
    /** Times are padded to this length, so that keys are ordered by time. */
    private static final int DIGITS = 16;

    private final TypedStore<Item> typedStore;
    private final Ledger ledger;
    private Consumer<Instant> added = at -> {};
    private Instant searched = Instant.EPOCH;

    LedgerTimers(TypedStore<Item> typedStore, Ledger ledger) {
        this.typedStore = typedStore;
        this.ledger = ledger;
    }

    /** An account, or one of its reports. */
    public record Item(String accountId, @Nullable UUID reportId) {}

    /** @param listener gets the time of each timer that is added from now on */
    public void onAdded(Consumer<Instant> listener) {
        added = listener;
    }

    /** Updates the timers of the account and of all changed reports. */
    void move(PendingChanges changes) {
        String account = changes.account().id();
        move(new Item(account, null), ledger.due(changes.accountBefore()), ledger.due(changes.account()));
        changes.reports().forEachChange((id, before, after) -> move(new Item(account, id), due(before), due(after)));
    }

    /** Removes and returns the first due items, at most {@code most}. */
    public List<Item> take(Instant now, int most) {
        // A range from the beginning would scan the tombstones of all timers that ever fired.
        List<KeyValue<String, Item>> items = typedStore.range(time(searched), time(now.plusMillis(1)), most);
        if (items.size() < most && now.isAfter(searched)) {
            searched = now;
        }
        items.forEach(item -> typedStore.put(item.key, null));
        return items.stream().map(item -> item.value).toList();
    }

    /**
     * When the first item is due; nothing if that is after {@code until}. Further ahead there may be millions of
     * timers that were moved since, which are slow to skip.
     */
    public Optional<Instant> next(Instant until) {
        return typedStore.range(time(searched), time(until), 1).stream()
                .findFirst()
                .map(item -> time(item.key));
    }

    /** Adds the timer of an item again, for which nothing was due yet or whose work has failed. */
    public void postpone(Item item, Instant until) {
        put(until, item);
    }

    private Optional<Instant> due(@Nullable LedgerReport report) {
        return report == null ? Optional.empty() : ledger.due(report);
    }

    private void move(Item item, Optional<Instant> from, Optional<Instant> to) {
        if (!from.equals(to)) {
            from.ifPresent(at -> typedStore.put(key(at, item), null));
            to.ifPresent(at -> put(at, item));
        }
    }

    private void put(Instant at, Item item) {
        typedStore.put(key(at, item), item);
        searched = at.isBefore(searched) ? at : searched;
        added.accept(at);
    }

    static String key(Instant at, Item item) {
        String account = time(at) + "/" + item.accountId();
        return item.reportId() == null ? account : account + "/" + item.reportId();
    }

    /** The time with which the key begins. */
    static Instant time(String key) {
        return Instant.ofEpochMilli(Long.parseLong(key.substring(0, DIGITS)));
    }

    static String time(Instant instant) {
        String millis = Long.toString(Math.max(0, instant.toEpochMilli()));
        return "0".repeat(Math.max(0, DIGITS - millis.length())) + millis;
    }
}
