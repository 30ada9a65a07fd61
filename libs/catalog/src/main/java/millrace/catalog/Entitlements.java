package millrace.catalog;

import java.time.LocalDate;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** What an account may ask for, per capability category; a category that is absent grants nothing. */
public record Entitlements(Map<Category, Access> categories) {

    public Entitlements {
        categories = Map.copyOf(categories);
    }

    public Optional<Access> access(Category category) {
        return Optional.ofNullable(categories.get(category));
    }

    /** Those of the categories that are granted, by what is granted; categories with the same grant are one entry. */
    Map<Access, String> grants(Collection<Category> wanted) {
        Map<Access, String> words = new LinkedHashMap<>();
        for (Category category : wanted) {
            access(category).ifPresent(a -> words.merge(a, category.word(), (x, y) -> x + " and " + y));
        }
        return words;
    }

    /** The granted categories, as words. */
    String words() {
        List<String> words =
                categories.keySet().stream().sorted().map(Category::word).toList();
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
        NavigableSet<String> sorted() {
            return new TreeSet<>(countries);
        }
    }
}
