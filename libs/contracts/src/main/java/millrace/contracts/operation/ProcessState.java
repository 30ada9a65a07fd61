package millrace.contracts.operation;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How a process is, as it says itself.
 *
 * @param ready false also while it stops
 * @param services readiness checks and their results, by service
 */
public record ProcessState(
        String instanceId,
        boolean ready,
        SortedMap<String, SortedMap<String, Boolean>> services,
        Instant startedAt,
        Instant at) {
    /** So often a state is written that does not change. */
    public static final Duration INTERVAL = Duration.ofSeconds(5);

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
