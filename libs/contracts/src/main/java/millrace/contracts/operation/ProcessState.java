package millrace.contracts.operation;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How a process is, as it says itself.
 *
 * @param ready false also while it stops
 * @param services readiness checks and their results, by service
 * @param stateForm the newest form of the ledger's state whose values its processor and its gateway can read; null
 *     without both, and in builds that know form 5 at most
 */
public record ProcessState(
        String instanceId,
        boolean ready,
        SortedMap<String, SortedMap<String, Boolean>> services,
        Instant startedAt,
        Instant at,
        @Nullable Integer stateForm) {
    /** So often a state is written that does not change. */
    public static final Duration INTERVAL = Duration.ofSeconds(5);

    /** The name of the service that has the ledger. */
    public static final String PROCESSOR = "processor";

    /** The name of the service that clients ask. */
    public static final String GATEWAY = "gateway";

    /** The form of the ledger's state that has reports in parts. */
    public static final int FORM_OF_PARTS = 6;

    public ProcessState {
        SortedMap<String, SortedMap<String, Boolean>> copy = new TreeMap<>();
        services.forEach(
                (service, checks) -> copy.put(service, Collections.unmodifiableSortedMap(new TreeMap<>(checks))));
        services = Collections.unmodifiableSortedMap(copy);
    }

    /** Key of the record: services that were started with the same id are told apart. */
    @JsonIgnore
    public String key() {
        return instanceId + "/" + String.join(",", services.keySet());
    }
}
