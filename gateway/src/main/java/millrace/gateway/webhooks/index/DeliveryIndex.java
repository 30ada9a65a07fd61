package millrace.gateway.webhooks.index;

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
import org.jspecify.annotations.Nullable;

/**
 * All deliveries that are remembered, folded from records in whatever order they come. Of too many, the oldest of the account
 * that has most are forgotten. Safe for use by many threads.
 */
public final class DeliveryIndex {
    /** Records about an event that is not known, because its topic is read a moment later, or because it is forgotten. */
    private static final int MAX_EARLY = 1000;

    private final int most;
    private final Map<String, AccountDeliveries> accounts = new HashMap<>();
    private final Map<DeliveryId, Consumer<DeliveryEntry>> early = new LinkedHashMap<>();
    private int size;
    private int weight;

    /** @param most deliveries of all accounts that are remembered; one with a long URL counts as several */
    public DeliveryIndex(int most) {
        this.most = most;
    }

    // Folding

    /** A record of the deliveries topic, at that place. */
    public synchronized void deliver(Deliver deliver, int partition, long offset) {
        known(deliver, partition, offset);
    }

    /** As {@link #deliver}. */
    public synchronized void resend(Resend resend, int partition, long offset) {
        DeliveryEntry delivery = known(resend.delivery(), partition, offset);
        if (delivery != null) {
            delivery.resent(resend);
        }
    }

    /** A record of the attempts topic, in the partition that the delivery is in. */
    public synchronized void attempt(WebhookAttempt attempt, long offset) {
        about(attempt.accountId(), attempt.eventId(), d -> d.attempted(attempt, offset));
    }

    /** A record of the dead letters' topic, in the partition that the delivery is in. */
    public synchronized void deadLetter(WebhookDeadLetter letter, long offset) {
        about(letter.accountId(), letter.eventId(), d -> d.givenUp(letter, offset));
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

    private void about(String accountId, String eventId, Consumer<DeliveryEntry> change) {
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
        // A few at once, so that the largest is not looked for each time.
        int enough = Math.min(weight - Math.max(1, most / 100), most);
        while (weight > enough && largest.size() > 1) {
            forgetOldest(largest);
        }
    }

    private void forgetOldest(AccountDeliveries account) {
        weight -= account.forgetOldest();
        size--;
    }

    /** Events that occurred before, in epoch milliseconds, are forgotten. */
    public synchronized void forgetBefore(long time) {
        for (AccountDeliveries account : accounts.values()) {
            while (account.hasOlderThan(time)) {
                forgetOldest(account);
            }
        }
        accounts.values().removeIf(account -> account.size() == 0);
    }

    // Asking

    public synchronized int size() {
        return size;
    }

    /** The delivery, if it is known and the account's. */
    public synchronized Optional<DeliveryView> find(String accountId, DeliveryId id) {
        AccountDeliveries account = accounts.get(accountId);
        return Optional.ofNullable(account == null ? null : account.find(id)).map(DeliveryEntry::view);
    }

    /** Newest first, after the given place or from the start. */
    public synchronized List<DeliveryView> newest(
            String accountId, DeliverySelection wanted, @Nullable DeliveryCursor after, int limit) {
        AccountDeliveries account = accounts.get(accountId);
        if (account == null) {
            return List.of();
        }
        Stream<DeliveryEntry> candidates =
                wanted.report() == null ? account.newest(after) : account.of(wanted.report(), after);
        return candidates
                .takeWhile(d -> d.occurredAt() >= wanted.from())
                .filter(wanted::has)
                .limit(limit)
                .map(DeliveryEntry::view)
                .toList();
    }

    /** Oldest first, as they are to be sent. */
    public synchronized List<DeliveryView> oldest(String accountId, DeliverySelection wanted, int limit) {
        AccountDeliveries account = accounts.get(accountId);
        return account == null
                ? List.of()
                : account.oldest()
                        .filter(wanted::has)
                        .limit(limit)
                        .map(DeliveryEntry::view)
                        .toList();
    }

    public synchronized long count(String accountId, DeliverySelection wanted) {
        AccountDeliveries account = accounts.get(accountId);
        return account == null ? 0 : account.oldest().filter(wanted::has).count();
    }

    /** How the account's endpoints are doing as far as their deliveries tell, by {@link millrace.contracts.delivery.WebhookEndpoint#key()}. */
    public synchronized Map<String, EndpointTotals> tallies(String accountId) {
        Map<String, EndpointTotals> tallies = new HashMap<>();
        AccountDeliveries account = accounts.get(accountId);
        if (account != null) {
            account.oldest()
                    .forEach(d -> tallies.merge(d.receiver().key(), EndpointTotals.of(d), EndpointTotals::plus));
        }
        return tallies;
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
