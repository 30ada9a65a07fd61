package millrace.catalog.access;

import java.time.LocalDate;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import millrace.catalog.dataset.CapabilityCategory;

/**
 * The countries and days that an account may request, by capability category. A missing category
 * grants nothing.
 */
public record Entitlements(Map<CapabilityCategory, Access> categories) {

    public Entitlements {
        categories = Map.copyOf(categories);
    }

    public Optional<Access> access(CapabilityCategory category) {
        return Optional.ofNullable(categories.get(category));
    }

    /**
     * The grants of the account for these categories, each with the words of the categories that
     * have it.
     */
    public Map<Access, String> grants(Collection<CapabilityCategory> needed) {
        Map<Access, String> words = new LinkedHashMap<>();
        for (CapabilityCategory category : needed) {
            access(category).ifPresent(a -> words.merge(a, category.word(), (x, y) -> x + " and " + y));
        }
        return words;
    }

    /** The words of the granted categories. */
    public String words() {
        List<String> words = categories.keySet().stream()
                .sorted()
                .map(CapabilityCategory::word)
                .toList();
        return words.isEmpty() ? "no category" : String.join(", ", words);
    }

    /**
     * @param countries codes of two upper-case letters, {@code WW} for the whole world
     * @param first first accessible day
     * @param last last accessible day; not before {@code first}
     */
    public record Access(Set<String> countries, LocalDate first, LocalDate last) {
        public Access {
            countries = Set.copyOf(countries);
            if (last.isBefore(first)) {
                throw new IllegalArgumentException("history ends before it starts: " + first + " to " + last);
            }
        }

        /** The countries in alphabetical order. */
        public NavigableSet<String> sorted() {
            return new TreeSet<>(countries);
        }
    }
}
