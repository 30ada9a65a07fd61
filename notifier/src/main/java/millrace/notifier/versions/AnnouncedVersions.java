package millrace.notifier.versions;

import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import millrace.contracts.requests.DataVersionAvailable;
import millrace.contracts.requests.DataVersionAvailable.Change;
import millrace.contracts.requests.DataVersionAvailable.Previous;
import millrace.contracts.requests.DatasetExample;
import millrace.contracts.requests.DatasetFacts;
import org.jspecify.annotations.Nullable;

/**
 * What has been announced about the datasets of a partition, as far as the topic still has it, and what is to be
 * announced next. Not thread-safe.
 */
final class AnnouncedVersions {
    private final Map<String, DataVersionAvailable> newest = new HashMap<>();
    private final Set<Switch> switches = new HashSet<>();
    private final Set<Switch> versions = new HashSet<>();

    /** A version that became current. */
    private record Switch(
            String dataset, String version, @Nullable Instant at) {}

    void add(DataVersionAvailable announced) {
        newest.merge(announced.dataset(), announced, (one, other) -> one.sequence() > other.sequence() ? one : other);
        switches.add(new Switch(announced.dataset(), announced.version(), announced.switchedAt()));
        versions.add(new Switch(announced.dataset(), announced.version(), null));
    }

    /** The last announcement about the dataset; empty if there was none. */
    Optional<DataVersionAvailable> newest(String dataset) {
        return Optional.ofNullable(newest.get(dataset));
    }

    /**
     * The announcement that follows from what a processor has published; empty if there is none. All processors
     * publish the same, each at its time, so a switch that was announced before is old news, and so is a version
     * without a time that was announced before. A version whose facts are not known yet is published again with them.
     */
    Optional<DataVersionAvailable> next(DatasetExample published, Instant now) {
        String dataset = published.dataset();
        String version = published.version();
        DatasetFacts facts = published.facts();
        DataVersionAvailable before = newest.get(dataset);
        if (facts == null || (before != null && before.version().equals(version))) {
            return Optional.empty();
        }
        boolean announced = versions.contains(new Switch(dataset, version, null));
        Instant switchedAt = published.switchedAt();
        if (switchedAt == null ? announced : switches.contains(new Switch(dataset, version, switchedAt))) {
            return Optional.empty();
        }
        return Optional.of(new DataVersionAvailable(
                dataset,
                before == null ? 1 : before.sequence() + 1,
                version,
                announced ? Change.RESTORED : Change.PUBLISHED,
                facts.updatedAt(),
                switchedAt,
                facts.rowCount(),
                facts.entityCount(),
                facts.periods(),
                before == null ? null : new Previous(before.version(), before.periods()),
                now));
    }
}
