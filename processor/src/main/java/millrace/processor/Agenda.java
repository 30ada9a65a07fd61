package millrace.processor;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import millrace.processor.account.Draft;
import millrace.processor.account.Ledger;
import millrace.processor.account.Report;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.jspecify.annotations.Nullable;

/** What has to be done when, ordered by time, so that a tick reads only what is due. */
final class Agenda {
    /** A clock may step back a little; what is entered then must still be found. */
    private static final Duration OVERLAP = Duration.ofMinutes(10);

    /** So that the order of texts is that of times. */
    private static final int DIGITS = 16;

    private final KeyValueStore<String, Item> store;
    private final Ledger ledger;
    private Instant searched = Instant.EPOCH;

    Agenda(KeyValueStore<String, Item> store, Ledger ledger) {
        this.store = store;
        this.ledger = ledger;
    }

    /** An account, or one of its reports, that {@link Ledger#tick} is to be called for. */
    record Item(String accountId, @Nullable UUID reportId) {}

    /** Moves the dates of all that the draft has changed. */
    void move(Draft draft) {
        String account = draft.account().id();
        move(new Item(account, null), ledger.due(draft.accountBefore()), ledger.due(draft.account()));
        draft.reports().forEachChange((id, before, after) -> move(new Item(account, id), due(before), due(after)));
    }

    /** Takes the first items that are due, at most so many, off the agenda. */
    List<Item> take(Instant now, int most) {
        List<KeyValue<String, Item>> due = new ArrayList<>();
        // Starting at the first entry would pass over the graves of all that was ever done.
        try (KeyValueIterator<String, Item> items = store.range(time(searched), time(now.plusMillis(1)))) {
            while (due.size() < most && items.hasNext()) {
                due.add(items.next());
            }
        }
        if (due.size() < most && now.minus(OVERLAP).isAfter(searched)) {
            searched = now.minus(OVERLAP);
        }
        due.forEach(item -> store.delete(item.key));
        return due.stream().map(item -> item.value).toList();
    }

    /** Enters an item again for which nothing was due after all. */
    void again(Item item, Optional<Instant> due) {
        due.ifPresent(at -> put(at, item));
    }

    private Optional<Instant> due(@Nullable Report report) {
        return report == null ? Optional.empty() : ledger.due(report);
    }

    private void move(Item item, Optional<Instant> from, Optional<Instant> to) {
        if (!from.equals(to)) {
            from.ifPresent(due -> store.put(key(due, item), null)); // delete would read the old value first
            to.ifPresent(due -> put(due, item));
        }
    }

    private void put(Instant due, Item item) {
        store.put(key(due, item), item);
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
