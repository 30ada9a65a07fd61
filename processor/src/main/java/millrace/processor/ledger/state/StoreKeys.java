package millrace.processor.ledger.state;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import millrace.contracts.topics.Topics;
import millrace.processor.ledger.decide.AccountReader.AnswerKey;
import millrace.processor.ledger.decide.AccountReader.TicketKey;

/**
 * The keys of the ledger's store: {@code {kind}/…}. Kafka Streams writes the changelog record of a key into the partition
 * of its task, whatever the key is; so whoever moves state to another number of partitions must know whose it is.
 */
public final class StoreKeys {
    private static final Set<String> OF_PARTITION = Set.of(
            LedgerStores.FORM,
            LedgerStores.VERSIONS,
            LedgerStores.ENDED,
            LedgerStores.ENDED_AGENDA,
            LedgerStores.ENDED_SIZE,
            LedgerStores.CLOCK);
    /** {@code {kind}/{account}}, and what follows. */
    private static final Set<String> OF_ACCOUNT = Set.of(
            LedgerStores.ACCOUNTS,
            LedgerStores.REPORTS,
            LedgerStores.REQUESTS,
            LedgerStores.ANSWERS,
            LedgerStores.TICKETS,
            LedgerStores.GRANTS,
            LedgerStores.IDEMPOTENCY);
    /** {@code {kind}/{time}/{account}}, and what follows. */
    private static final Set<String> TIMED = Set.of(LedgerStores.AGENDA, LedgerStores.FILE_AGENDA);

    private StoreKeys() {}

    static String kind(String key) {
        int slash = key.indexOf('/');
        return slash < 0 ? key : key.substring(0, slash);
    }

    /**
     * The account that a key in the store belongs to; empty if it is about its partition.
     *
     * @throws IllegalArgumentException if the kind is unknown
     */
    public static Optional<String> account(String key) {
        String kind = kind(key);
        if (OF_PARTITION.contains(kind)) {
            return Optional.empty();
        }
        int place = OF_ACCOUNT.contains(kind) ? 1 : TIMED.contains(kind) ? 2 : -1;
        String[] parts = key.split("/", place + 2);
        if (place < 0 || parts.length <= place) {
            throw new IllegalArgumentException("the ledger's state has a key of an unknown kind: " + key);
        }
        return Optional.of(parts[place]);
    }

    public static String report(String account, UUID report) {
        return Topics.reportKey(account, report);
    }

    static String answer(String account, AnswerKey key) {
        return report(account, key.reportId()) + "/" + key.attempt() + "/" + key.slice();
    }

    static String ticket(String account, TicketKey key) {
        return under(account, key.lane().name().toLowerCase(Locale.ROOT) + "/" + key.number());
    }

    static String under(String account, String name) {
        return account + "/" + name;
    }
}
