package millrace.catalog.validation;

import java.math.BigInteger;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;
import millrace.catalog.dataset.RequestField;
import millrace.catalog.text.SortedTextSet;
import org.jspecify.annotations.Nullable;

/** The fields of a body that have the right type, by name. Their values are not checked yet. */
final class RawRequest {

    /** A value of its field's type. Two values are equal when they mean the same. */
    sealed interface Value {}

    record Words(String text) implements Value {}

    record Whole(BigInteger number) implements Value {}

    record Flag(boolean set) implements Value {}

    /**
     * A few names without duplicates, in order.
     *
     * @param given number of elements of the right type
     * @param empty whether the array was empty
     * @param cut whether distinct names were dropped
     */
    record Items(SequencedSet<String> values, long given, boolean empty, boolean cut) implements Value {
        long duplicates() {
            return cut ? 0 : given - values.size();
        }
    }

    /**
     * Texts by name, at most one more than a request may have.
     *
     * @param number of names that were sent
     */
    record Named(Map<String, String> texts, int number) implements Value {}

    /**
     * Entities or values of a filter, possibly very many.
     *
     * @param kind {@code DOMAINS}, {@code KEYWORDS} or {@code INTEGERS}
     * @param texts the valid ones
     * @param wrong the first invalid ones, each once
     * @param moreWrong number of further invalid ones
     * @param given number of elements of the right type
     * @param empty whether the array was empty
     */
    record Many(
            RequestField.Kind kind,
            SortedTextSet texts,
            SequencedSet<String> wrong,
            long moreWrong,
            long given,
            boolean empty)
            implements Value {}

    record Found(String spelling, Value value) {}

    private final Map<String, Found> found = new HashMap<>();
    private final Set<String> present = new HashSet<>();

    /** Notes that the body has the field, with whatever type. */
    void present(RequestField field) {
        present.add(field.name());
    }

    /** Keeps the value unless the field has one already, which is then returned. */
    @Nullable
    Found put(RequestField field, Found value) {
        return found.putIfAbsent(field.name(), value);
    }

    boolean has(String field) {
        return present.contains(field);
    }

    Optional<String> text(String field) {
        return value(field, Words.class).map(Words::text);
    }

    Optional<BigInteger> integer(String field) {
        return value(field, Whole.class).map(Whole::number);
    }

    boolean flag(String field) {
        return optionalFlag(field).orElse(false);
    }

    Optional<Boolean> optionalFlag(String field) {
        return value(field, Flag.class).map(Flag::set);
    }

    Optional<Many> many(String field) {
        return value(field, Many.class);
    }

    Optional<Named> named(String field) {
        return value(field, Named.class);
    }

    Optional<Items> items(String field) {
        return value(field, Items.class);
    }

    private <V extends Value> Optional<V> value(String field, Class<V> type) {
        return Optional.ofNullable(found.get(field)).map(f -> type.cast(f.value()));
    }
}
