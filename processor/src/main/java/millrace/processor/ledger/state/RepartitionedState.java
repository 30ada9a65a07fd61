package millrace.processor.ledger.state;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import millrace.contracts.Json;
import millrace.contracts.topics.Topic;
import millrace.processor.ledger.decide.LedgerReport;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * The ledger's state of all partitions, divided among another number of them. Most keys go with their account; what a
 * partition has of its own is made anew: its form, how many open reports read which version of the data, and the rows
 * of reports that are over. Takes some 200 bytes for each open report and 100 for each that is over.
 */
public final class RepartitionedState {
    private static final String UNMIGRATED = LedgerStores.FORM + "/" + StateFormat.UNMIGRATED;

    private final int partitions;
    /** The form of each partition that was read. */
    private final Map<Integer, Integer> forms = new HashMap<>();
    /** Partitions that say {@link StateFormat#UNMIGRATED}. */
    private final Set<Integer> unmigrated = new HashSet<>();
    /** For each open report, under which key its data version is counted. */
    private final Map<String, String> openReports = new HashMap<>();
    /** By new partition. */
    private final List<Map<String, Integer>> versions = new ArrayList<>();

    private final Map<String, byte[]> endedRows = new HashMap<>();

    /** @param partitions the new number */
    public RepartitionedState(int partitions) {
        this.partitions = partitions;
        for (int i = 0; i < partitions; i++) {
            versions.add(new TreeMap<>());
        }
    }

    /**
     * Takes in a record of the changelog. Those of a partition come in their order.
     *
     * @param partition that it was read from
     * @return whether it goes into the new partition of its account as it is
     */
    public boolean keeps(int partition, String key, byte @Nullable [] value) {
        forms.putIfAbsent(partition, StateFormat.NONE);
        return switch (StoreKeys.kind(key)) {
            case LedgerStores.REPORTS -> {
                put(openReports, key, countedAs(value));
                yield true;
            }
            case LedgerStores.ENDED -> {
                put(endedRows, partition + "/" + key, value);
                yield false;
            }
            case LedgerStores.FORM -> {
                if (key.equals(UNMIGRATED)) {
                    boolean unused = value == null ? unmigrated.remove(partition) : unmigrated.add(partition);
                } else if (value != null) {
                    forms.merge(partition, TypedStore.decode(value, Integer.class), Math::max);
                }
                yield false;
            }
            case LedgerStores.VERSIONS, LedgerStores.ENDED_AGENDA, LedgerStores.ENDED_SIZE, LedgerStores.CLOCK -> false;
            default -> true;
        };
    }

    private static <V> void put(Map<String, V> values, String key, @Nullable V value) {
        if (value == null) {
            values.remove(key);
        } else {
            values.put(key, value);
        }
    }

    private static @Nullable String countedAs(byte @Nullable [] report) {
        DataVersionUse.Version version =
                report == null ? null : DataVersionUse.read(TypedStore.decode(report, LedgerReport.class));
        return version == null ? null : LedgerStores.VERSIONS + "/" + version.key();
    }

    /** What a new partition has of its own, by key. To be called after the last record. */
    public Map<String, byte[]> of(int partition) {
        countVersions();
        Map<String, byte[]> state = EndedReports.table(endedRows.values().stream()
                .flatMap(row -> EndedRow.decode(row).stream())
                .filter(entry -> Utils.toPositive(entry.accountHash()) % partitions == partition)
                .toList());
        int form = StateFormat.merged(forms.values());
        if (form != StateFormat.NONE) {
            // In each: a partition that has decided commands and has no state is refused.
            state.put(LedgerStores.FORM + "/" + StateFormat.KEY, Json.bytes(form));
            if (form == StateFormat.NEWEST && !(unmigrated.isEmpty() && StateFormat.areMigrated(forms.values()))) {
                state.put(UNMIGRATED, Json.bytes(StateFormat.NONE));
            }
        }
        versions.get(partition).forEach((key, reports) -> state.put(key, Json.bytes(reports)));
        return state;
    }

    private void countVersions() {
        openReports.forEach((key, version) -> StoreKeys.account(key)
                .ifPresent(account ->
                        versions.get(Topic.partition(account, partitions)).merge(version, 1, Integer::sum)));
        openReports.clear();
    }
}
