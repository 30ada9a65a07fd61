package millrace.contracts.accounts;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** What a batch key opens. A key without scopes opens everything. */
public enum KeyScope {
    /** Everything that only reads, and validating. */
    @JsonProperty("read")
    READ,
    /** Asking for reports, retrying, cancelling and erasing them. */
    @JsonProperty("request")
    REQUEST,
    /** Webhook endpoints, their secrets, tests, and sending events again. */
    @JsonProperty("webhooks")
    WEBHOOKS;

    public static final Set<KeyScope> ALL = Collections.unmodifiableSet(EnumSet.allOf(KeyScope.class));

    /** As it is written. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** All words, in the order of the scopes. */
    public static List<String> words() {
        return words(ALL);
    }

    /** Those of the scopes, in their order. */
    public static List<String> words(Collection<KeyScope> scopes) {
        return scopes.stream().sorted().map(KeyScope::word).toList();
    }

    /** The scope of a word. Throws where there is none. */
    public static KeyScope of(String word) {
        return Arrays.stream(values())
                .filter(scope -> scope.word().equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(word));
    }

    /** An unmodifiable copy, in the order of the scopes. */
    public static Set<KeyScope> copyOf(Collection<KeyScope> scopes) {
        Set<KeyScope> copy = EnumSet.noneOf(KeyScope.class);
        copy.addAll(scopes);
        return Collections.unmodifiableSet(copy);
    }
}
