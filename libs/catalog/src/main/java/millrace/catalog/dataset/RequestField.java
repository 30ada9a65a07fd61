package millrace.catalog.dataset;

import java.util.List;

/**
 * A field of a request body.
 *
 * @param name the name in sentences
 * @param spellings the name and its synonyms
 * @param inFilters whether it may also be inside {@code filters}
 */
public record RequestField(String name, List<String> spellings, Kind kind, boolean inFilters) {

    /** A field with one spelling that must be at the top level. */
    static RequestField top(String name, Kind kind) {
        return new RequestField(name, List.of(name), kind, false);
    }

    public enum Kind {
        TEXT("a string"),
        INTEGER("an integer"),
        FLAG("true or false"),
        TEXTS("an array of strings"),
        TAGS("an object with strings"),
        SPLIT("an object with max_rows"),
        DOMAINS("an array of strings"),
        KEYWORDS("an array of strings"),
        INTEGERS("an array of integers");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        public String words() {
            return words;
        }
    }
}
