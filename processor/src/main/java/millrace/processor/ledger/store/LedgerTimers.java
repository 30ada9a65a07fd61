package millrace.processor.ledger.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import millrace.processor.ledger.account.Ledger;
import millrace.processor.ledger.account.state.LedgerReport;
import millrace.processor.ledger.account.state.PendingChanges;
import org.apache.kafka.streams.KeyValue;
import org.jspecify.annotations.Nullable;

/** What has to be done when, ordered by time, so that a tick reads only what is due. */
public final class LedgerTimers {
    /** A clock may step back a little; what is entered then must still be found. */
    private static final Duration OVERLAP = Duration.ofMinutes(10);

    /** So that the order of texts is that of times. */
    private static final int DIGITS = 16;

    private final TypedStore<Item> typedStore;
    private final Ledger ledger;
    private Instant searched = Instant.EPOCH;

    LedgerTimers(TypedStore<Item> typedStore, Ledger ledger) {
        this.typedStore = typedStore;
        this.ledger = ledger;
    }

    /** An account, or one of its reports, that {@link Ledger#tick} is to be called for. */
    public record Item(String accountId, @Nullable UUID reportId) {}

    /** Moves the timers of all that has changed. */
    void move(PendingChanges changes) {
        String account = changes.account().id();
        move(new Item(account, null), ledger.due(changes.accountBefore()), ledger.due(changes.account()));
        changes.reports().forEachChange((id, before, after) -> move(new Item(account, id), due(before), due(after)));
    }

    /** Takes the first items that are due, at most so many, off. */
    public List<Item> take(Instant now, int most) {
        // Starting at the first entry would pass over the graves of all that was ever done.
        List<KeyValue<String, Item>> due = typedStore.range(time(searched), time(now.plusMillis(1)), most);
        if (due.size() < most && now.minus(OVERLAP).isAfter(searched)) {
            searched = now.minus(OVERLAP);
        }
        due.forEach(item -> typedStore.put(item.key, null));
        return due.stream().map(item -> item.value).toList();
    }

    /** Enters an item again for which nothing was due after all. */
    public void reschedule(Item item, Optional<Instant> due) {
        due.ifPresent(at -> put(at, item));
    }

    private Optional<Instant> due(@Nullable LedgerReport report) {
        return report == null ? Optional.empty() : ledger.due(report);
    }

    private void move(Item item, Optional<Instant> from, Optional<Instant> to) {
        if (!from.equals(to)) {
            from.ifPresent(due -> typedStore.put(key(due, item), null));
            to.ifPresent(due -> put(due, item));
        }
    }

    private void put(Instant due, Item item) {
        typedStore.put(key(due, item), item);
    }

    private static String key(Instant due, Item item) {
        String account = time(due) + "/" + item.accountId();
        return item.reportId() == null ? account : account + "/" + item.reportId();
    }

    private static String time(Instant instant) {
        String millis = Long.toString(Math.max(0, instant.toEpochMilli()));
        return "0".repeat(Math.max(0, DIGITS - millis.length())) + millis;
    }
}
