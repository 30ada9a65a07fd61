package millrace.runtime;

import java.util.Comparator;
import java.util.List;
import org.apache.commons.text.similarity.LevenshteinDistance;

/** The nearest known word, for messages. */
final class Nearest {
    private Nearest() {}

    static String of(String word, List<String> known) {
        return known.stream()
                .min(Comparator.comparingInt(
                        k -> LevenshteinDistance.getDefaultInstance().apply(word, k)))
                .orElseThrow(() -> new IllegalArgumentException("nothing is known"));
    }
}
