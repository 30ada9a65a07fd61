package millrace.contracts.requests;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import millrace.contracts.requests.DatasetFacts.Span;
import org.jspecify.annotations.Nullable;

/**
 * New reports of a dataset read another version of the data, topic {@code dataset-versions}.
 *
 * @param sequence 1, 2, 3, … for each dataset
 * @param updatedAt when the version was made or became current; null where the warehouse does not say
 * @param switchedAt when it became current; null where the warehouse does not say
 * @param periods by the word of each granularity that has rows
 * @param previous the version that was announced before; null of the first
 * @param occurredAt when it was announced
 */
public record DataVersionAvailable(
        String dataset,
        int sequence,
        String version,
        Change change,
        @Nullable Instant updatedAt,
        @Nullable Instant switchedAt,
        long rowCount,
        long entityCount,
        Map<String, Span> periods,
        @Nullable Previous previous,
        Instant occurredAt) {
    /** In webhooks, the feed, and what an account subscribes to. */
    public static final String EVENT_TYPE = "data_version_available";

    public DataVersionAvailable {
        periods = Collections.unmodifiableMap(new LinkedHashMap<>(periods));
    }

    /** Why reports read it. */
    public enum Change {
        /** It was not announced before. */
        @JsonProperty("published")
        PUBLISHED,
        /** It was, and an operator went back to it. */
        @JsonProperty("restored")
        RESTORED
    }

    /**
     * The version before, so that receivers can tell what is new.
     *
     * @param periods that it had
     */
    public record Previous(String version, Map<String, Span> periods) {
        public Previous {
            periods = Collections.unmodifiableMap(new LinkedHashMap<>(periods));
        }
    }
}
