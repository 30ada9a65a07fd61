package millrace.contracts.topics;

import java.util.Optional;
import java.util.Set;

/**
 * The keys of the ledger's store, as they are in {@link Topics#LEDGER_CHANGELOG}: {@code {kind}/…}. Kafka Streams puts
 * a record into the partition of its task, whatever the key is; so whoever moves the store to another number of
 * partitions must know whose state it is.
 */
public final class LedgerStateKeys {
    /** {@code form/ledger}: the form of the state of this partition. */
    public static final String FORM = "form";
    /** The form of state in which reports that are over may be in {@link #ENDED} or not. */
    public static final int MIGRATING = 4;
    /** The form of state in which all of them are. */
    public static final int MIGRATED = 5;
    /** {@code data-versions/{dataset}/{version}}: how many open reports of this partition read it. */
    public static final String DATA_VERSIONS = "data-versions";
    /** {@code ended/{row}}: reports that are over, many in a row, of all accounts of this partition. */
    public static final String ENDED = "ended";
    /** {@code ended-agenda/{time}/{row}}: when something of a row is due. */
    public static final String ENDED_AGENDA = "ended-agenda";
    /** {@code ended-size/ledger}: how many rows and entries there are. */
    public static final String ENDED_SIZE = "ended-size";
    /** {@code clock/ledger}: the time that the timers of this partition are due by. */
    public static final String CLOCK = "clock";
    /** {@code reports/{account}/{report}}. */
    public static final String REPORTS = "reports";

    private static final Set<String> OF_PARTITION = Set.of(FORM, DATA_VERSIONS, ENDED, ENDED_AGENDA, ENDED_SIZE, CLOCK);
    /** {@code {kind}/{account}}, and what follows. */
    private static final Set<String> OF_ACCOUNT =
            Set.of("accounts", REPORTS, "requests", "slice-answers", "tickets", "grants", "idempotency");
    /** {@code {kind}/{time}/{account}}, and what follows. */
    private static final Set<String> TIMED = Set.of("agenda", "file-agenda");

    private LedgerStateKeys() {}

    /** The kind of a key. */
    public static String kind(String key) {
        int slash = key.indexOf('/');
        return slash < 0 ? key : key.substring(0, slash);
    }

    /**
     * The account of a key; empty where it is about its partition.
     *
     * @throws IllegalArgumentException where the kind is unknown
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
}
