package millrace.catalog.dataset;

import java.util.List;

/**
 * @param name the name that sentences use
 * @param spellings the name and what means the same
 * @param inFilters whether it may stand inside {@code filters} too
 */
public record RequestField(String name, List<String> spellings, Kind kind, boolean inFilters) {

    /** One spelling, only at the top level. */
    static RequestField top(String name, Kind kind) {
        return new RequestField(name, List.of(name), kind, false);
    }

    public enum Kind {
        TEXT("a string"),
        INTEGER("an integer"),
        FLAG("true or false"),
        TEXTS("an array of strings"),
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
