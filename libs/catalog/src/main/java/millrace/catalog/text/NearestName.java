package millrace.catalog.text;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** Finds the name that a misspelt one probably means. */
public final class NearestName {
    /** Longer names are not misspelt fields and are not compared. */
    private static final int LONGEST = 80;

    private NearestName() {}

    /** The known name with the fewest edits, or of which it is one of the words; empty where all are too different. */
    static Optional<String> of(String wrong, Collection<String> known) {
        if (wrong.length() > LONGEST) {
            return Optional.empty();
        }
        // Of three letters, two edits leave nothing.
        int most = wrong.length() <= 3 ? 1 : Math.max(2, wrong.length() / 3);
        var distance = new LevenshteinDistance(most);
        String lower = Text.lower(wrong);
        Optional<String> near = known.stream()
                .filter(k -> distance.apply(lower, Text.lower(k)) >= 0)
                .min(Comparator.comparingInt((String k) -> distance.apply(lower, Text.lower(k)))
                        .thenComparing(Comparator.naturalOrder()));
        return near.or(() -> known.stream()
                .filter(k -> List.of(Text.lower(k).split("_", -1)).contains(lower))
                .sorted()
                .findFirst());
    }

    /** Returns {@code ; did you mean x?}, or an empty text. */
    public static String suggestion(String wrong, Collection<String> known) {
        return of(wrong, known).map(k -> "; did you mean " + k + "?").orElse("");
    }
}
