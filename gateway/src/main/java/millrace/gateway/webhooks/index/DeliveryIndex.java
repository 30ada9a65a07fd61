package millrace.gateway.webhooks.index;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import millrace.contracts.delivery.DeliveryCommand.Deliver;
import millrace.contracts.delivery.DeliveryCommand.Resend;
import millrace.contracts.delivery.WebhookAttempt;
import millrace.contracts.delivery.WebhookDeadLetter;
import millrace.gateway.paging.PageScan;
import org.jspecify.annotations.Nullable;

/**
 * Keeps deliveries in memory, folded from records in any order. Above its limit it forgets the
 * oldest deliveries of the account that has most. Safe for use by many threads.
 */
public final class DeliveryIndex {
    /**
     * Records about an event that is not known: its topic is read a moment later, or the event is
     * forgotten.
     */
    private static final int MAX_EARLY = 1000;

    private final int most;
    private final Map<String, AccountDeliveries> accounts = new HashMap<>();
    private final Map<DeliveryId, Consumer<DeliveryEntry>> early = new LinkedHashMap<>();
    private int size;
    private int weight;

    /**
     * @param most deliveries of all accounts that are kept; one with a long URL counts as several
     */
    public DeliveryIndex(int most) {
        this.most = most;
    }

    // Folding

    /** Folds a record of the deliveries topic. */
    public synchronized void deliver(Deliver deliver, int partition, long offset) {
        known(deliver, partition, offset);
    }

    /** Folds a record of the deliveries topic. */
    public synchronized void resend(Resend resend, int partition, long offset) {
        DeliveryEntry delivery = known(resend.delivery(), partition, offset);
        if (delivery != null) {
            delivery.resent(resend);
        }
    }

    /** Folds a record of the attempts topic, from the partition of its delivery. */
    public synchronized void attempt(WebhookAttempt attempt, long offset) {
        change(attempt.accountId(), attempt.eventId(), d -> d.attempted(attempt, offset));
    }

    /** Folds a record of the dead letter topic, from the partition of its delivery. */
    public synchronized void deadLetter(WebhookDeadLetter letter, long offset) {
        change(letter.accountId(), letter.eventId(), d -> d.givenUp(letter, offset));
    }

    private @Nullable DeliveryEntry known(Deliver deliver, int partition, long offset) {
        Optional<DeliveryId> id = DeliveryId.parse(deliver.eventId());
        if (id.isEmpty()) {
            return null;
        }
        AccountDeliveries account = accounts.computeIfAbsent(deliver.accountId(), a -> new AccountDeliveries());
        DeliveryEntry delivery = account.find(id.get());
        if (delivery == null) {
            EndpointEntry receiver = account.receiver(deliver.accountId(), deliver.endpoint(), partition);
            delivery = new DeliveryEntry(
                    id.get(),
                    deliver.occurredAt().toEpochMilli(),
                    receiver,
                    receiver.shared(withoutQuery(deliver.url())));
            account.add(delivery);
            size++;
            weight += delivery.weight();
            forgetSome();
        }
        delivery.placed(offset);
        Consumer<DeliveryEntry> waiting = early.remove(id.get());
        if (waiting != null) {
            waiting.accept(delivery);
        }
        return delivery;
    }

    private void change(String accountId, String eventId, Consumer<DeliveryEntry> change) {
        DeliveryId id = DeliveryId.parse(eventId).orElse(null);
        AccountDeliveries account = accounts.get(accountId);
        DeliveryEntry delivery = id == null || account == null ? null : account.find(id);
        if (delivery != null) {
            change.accept(delivery);
        } else if (id != null) {
            early.merge(id, change, Consumer::andThen);
            if (early.size() > MAX_EARLY) {
                early.remove(early.keySet().iterator().next());
            }
        }
    }

    private void forgetSome() {
        if (weight <= most) {
            return;
        }
        AccountDeliveries largest = Objects.requireNonNull(accounts.values().stream()
                .max(java.util.Comparator.comparingInt(AccountDeliveries::weight))
                .orElse(null));
        // Forgets a few at once, so that it does not search for the largest account each time.
        int target = Math.min(weight - Math.max(1, most / 100), most);
        while (weight > target && largest.size() > 1) {
            forgetOldest(largest);
        }
    }

    private void forgetOldest(AccountDeliveries account) {
        weight -= account.forgetOldest();
        size--;
    }

    /** Forgets events that occurred before the time, in epoch milliseconds. */
    public synchronized void forgetBefore(long time) {
        for (AccountDeliveries account : accounts.values()) {
            while (account.hasOlderThan(time)) {
                forgetOldest(account);
            }
        }
        accounts.values().removeIf(account -> account.size() == 0);
    }

    // Queries

    public synchronized int size() {
        return size;
    }

    /** The delivery, if it is known and belongs to the account. */
    public synchronized Optional<DeliveryView> find(String accountId, DeliveryId id) {
        AccountDeliveries account = accounts.get(accountId);
        return Optional.ofNullable(account == null ? null : account.find(id)).map(DeliveryEntry::view);
    }

    /** Newest first, after the cursor or from the newest. */
    public synchronized PageScan<DeliveryView> newest(
            String accountId, DeliverySelection selection, @Nullable DeliveryCursor after, int limit) {
        AccountDeliveries account = accounts.get(accountId);
        if (account == null) {
            return new PageScan<>(List.of(), null);
        }
        Stream<DeliveryEntry> candidates =
                selection.report() == null ? account.newest(after) : account.of(selection.report(), after);
        PageScan<DeliveryEntry> page = PageScan.of(
                candidates.takeWhile(d -> d.occurredAt() >= selection.from()).iterator(), selection::matches, limit);
        DeliveryEntry stoppedAt = page.stoppedAt();
        return new PageScan<>(
                page.found().stream().map(DeliveryEntry::view).toList(), stoppedAt == null ? null : stoppedAt.view());
    }

    /**
     * Oldest first, the order in which they are resent.
     *
     * @param all deliveries that match, also those beyond the limit
     */
    public record Oldest(List<DeliveryView> deliveries, long all) {}

    public synchronized Oldest oldest(String accountId, DeliverySelection selection, int limit) {
        AccountDeliveries account = accounts.get(accountId);
        List<DeliveryView> oldest = new ArrayList<>();
        long all = 0;
        if (account != null) {
            for (DeliveryEntry delivery : (Iterable<DeliveryEntry>) account.oldest()::iterator) {
                if (selection.matches(delivery)) {
                    all++;
                    if (oldest.size() < limit) {
                        oldest.add(delivery.view());
                    }
                }
            }
        }
        return new Oldest(oldest, all);
    }

    /**
     * Totals of the account's deliveries, by {@link
     * millrace.contracts.delivery.WebhookEndpoint#key()}.
     */
    public synchronized Map<String, EndpointTotals> endpointTotals(String accountId) {
        Map<String, EndpointTotals> endpointTotals = new HashMap<>();
        AccountDeliveries account = accounts.get(accountId);
        if (account != null) {
            account.oldest()
                    .forEach(d -> endpointTotals.merge(d.receiver().key(), EndpointTotals.of(d), EndpointTotals::plus));
        }
        return endpointTotals;
    }

    static String withoutQuery(String url) {
        int end = url.length();
        for (char mark : new char[] {'?', '#'}) {
            int at = url.indexOf(mark);
            end = at >= 0 ? Math.min(end, at) : end;
        }
        return url.substring(0, end);
    }
}
