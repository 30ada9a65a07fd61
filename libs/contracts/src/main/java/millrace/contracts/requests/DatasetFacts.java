package millrace.contracts.requests;

import java.time.Instant;
import java.time.LocalDate;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Facts about a version of a dataset.
 *
 * @param updatedAt when the version was made or became current; null where the warehouse does not
 *     say
 * @param entityCount number of entities that a request can name
 * @param periods by the word of each granularity that has rows
 * @param sampleEntities at most three, of those with the most rows
 */
public record DatasetFacts(
        @Nullable Instant updatedAt,
        long rowCount,
        long entityCount,
        Map<String, Span> periods,
        List<String> sampleEntities) {

    public DatasetFacts {
        periods = Collections.unmodifiableMap(new LinkedHashMap<>(periods));
        sampleEntities = List.copyOf(sampleEntities);
    }

    /** The periods that have rows; empty where there are none of this granularity. */
    public Optional<Span> periods(Granularity granularity) {
        return Optional.ofNullable(periods.get(granularity.word()));
    }

    /** First days of the first and of the last period. */
    public record Span(LocalDate first, LocalDate last) {}
}
