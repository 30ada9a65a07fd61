package millrace.notifier.versions;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import millrace.contracts.accounts.AccountRecord;

/** The webhooks that accounts have subscribed to events which are not about a report. Implementations are thread-safe. */
@FunctionalInterface
public interface Subscribers {
    /** Nobody. */
    Subscribers NONE = (eventType, access) -> List.of();

    /**
     * The webhooks that want the event, of accounts that may see what it is about, in the order of {@link
     * Subscriber#key}.
     *
     * @param access capability categories; an account needs all of one of the lists
     */
    List<Subscriber> of(String eventType, List<List<String>> access);

    /** A webhook that is subscribed. */
    record Subscriber(String accountId, String subscriptionId, String url) {
        String key() {
            return accountId + "/" + subscriptionId;
        }
    }

    /** As {@link #of}, among these accounts. Suspended ones see nothing. */
    static List<Subscriber> among(Collection<AccountRecord> accounts, String eventType, List<List<String>> access) {
        return accounts.stream()
                .filter(account -> !account.suspended() && !account.subscribed().isEmpty())
                .filter(account -> sees(account.entitlements().keySet(), access))
                .flatMap(account -> account.subscribed().stream()
                        .filter(subscription -> subscription.eventTypes().contains(eventType))
                        .map(subscription ->
                                new Subscriber(account.accountId(), subscription.id(), subscription.url())))
                .sorted(Comparator.comparing(Subscriber::key))
                .toList();
    }

    private static boolean sees(Set<String> categories, List<List<String>> access) {
        return access.stream().anyMatch(categories::containsAll);
    }
}
