package millrace.catalog;

import java.time.LocalDate;
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
