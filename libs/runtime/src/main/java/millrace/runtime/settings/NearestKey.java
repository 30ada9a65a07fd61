package millrace.runtime.settings;

import java.util.Comparator;
import java.util.List;
import org.apache.commons.text.similarity.LevenshteinDistance;

/**
 * Finds the known key that is most similar to a wrong one, for error messages. Compares a word
 * without a dot with the last parts of the keys.
 */
final class NearestKey {
    private NearestKey() {}

    static String of(String word, List<String> known) {
        return known.stream()
                .min(Comparator.comparingInt(
                        k -> LevenshteinDistance.getDefaultInstance().apply(word, comparable(word, k))))
                .orElseThrow(() -> new IllegalArgumentException("nothing is known"));
    }

    private static String comparable(String word, String key) {
        return word.contains(".") ? key : key.substring(key.lastIndexOf('.') + 1);
    }
}
