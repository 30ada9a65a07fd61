package millrace.catalog.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** What somebody probably meant. */
public final class NearestName {
    /** Longer names are not compared: nobody means a field by them. */
    private static final int LONGEST = 80;

    private NearestName() {}

    /** The known name with the fewest edits, if it is near enough to be meant. */
    static Optional<String> of(String wrong, Collection<String> known) {
        if (wrong.length() > LONGEST) {
            return Optional.empty();
        }
        int most = Math.max(2, wrong.length() / 3);
        var distance = new LevenshteinDistance(most);
        String lower = Text.lower(wrong);
        return known.stream()
                .filter(k -> distance.apply(lower, Text.lower(k)) >= 0)
                .min(Comparator.comparingInt((String k) -> distance.apply(lower, Text.lower(k)))
                        .thenComparing(Comparator.naturalOrder()));
    }

    /** {@code ; did you mean x?}, or nothing. */
    public static String suggestion(String wrong, Collection<String> known) {
        return of(wrong, known).map(k -> "; did you mean " + k + "?").orElse("");
    }
}
