package millrace.contracts.requests;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The length of a report's periods. */
public enum Granularity {
    /** One day. */
    DAILY("daily"),
    /** A calendar week, dated by its Monday. */
    WEEKLY("weekly"),
    /** Seven days counted back from the last day of data, dated by their first day. */
    SEVEN_DAYS("7days"),
    /** A calendar month, dated by its first day. */
    MONTHLY("monthly");

    private static final Map<String, Granularity> BY_WORD =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(Granularity::word, g -> g));

    private final String word;

    Granularity(String word) {
        this.word = word;
    }

    /**
     * The word in requests, files and the warehouse: {@code daily}, {@code weekly}, {@code 7days},
     * {@code monthly}.
     */
    @JsonValue
    public String word() {
        return word;
    }

    public static Optional<Granularity> of(String word) {
        return Optional.ofNullable(BY_WORD.get(word));
    }

    @JsonCreator
    static Granularity parse(String word) {
        return of(word).orElseThrow(() -> new IllegalArgumentException("unknown granularity: " + word));
    }
}
