package millrace.catalog;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** The entities and the filters of a request: each list without duplicates and sorted. */
final class RequestedValues {
    private static final BigInteger LARGEST_INTEGER = BigInteger.valueOf(Integer.MAX_VALUE);

    private final Limits limits;
    private final RawRequest raw;
    private final Problems problems;

    RequestedValues(Limits limits, RawRequest raw, Problems problems) {
        this.limits = limits;
        this.raw = raw;
        this.problems = problems;
    }

    EntityTexts entities(EntityField entity) {
        String accepted = "; accepted: 1 to " + Text.number(limits.maxEntities()) + " of them, each "
                + switch (entity.kind()) {
                    case DOMAIN -> EntityRules.HOST_WORDS;
                    case KEYWORD -> EntityRules.KEYWORD_WORDS;
                };
        if (!raw.has(entity.field())) {
            problems.error(entity.field(), "is missing" + accepted);
        }
        Optional<RawRequest.Entities> found = raw.entities(entity.field());
        if (found.isEmpty()) {
            return new EntityTexts(limits.maxEntities());
        }
        RawRequest.Entities entities = found.get();
        EntityTexts texts = entities.texts();
        if (entities.empty()) {
            problems.error(entity.field(), "names nothing" + accepted);
        }
        if (texts.cut()) {
            problems.error(entity.field(), "names more than " + Text.number(limits.maxEntities()) + accepted);
        } else if (entities.wrong().isEmpty()) {
            problems.duplicates(entity.field(), entities.given() - texts.size());
        }
        wrong(entity.field(), entity.kind(), entities.wrong());
        problems.more(entities.moreWrong());
        return texts;
    }

    /** Values by key column, for the filters that are named. */
    Map<String, List<String>> filters(Dataset dataset) {
        Map<String, List<String>> values = new TreeMap<>();
        for (Filter filter : dataset.filters()) {
            raw.items(filter.field()).ifPresent(items -> values.put(filter.column(), values(filter, items)));
        }
        return Collections.unmodifiableMap(values);
    }

    private List<String> values(Filter filter, RawRequest.Items items) {
        String accepted = "; accepted: "
                + switch (filter.kind()) {
                    case CHOICE -> "one or more of " + Text.list(filter.values());
                    case INTEGER -> "1 to " + Text.number(limits.maxValues()) + " integers";
                    case KEYWORD -> "1 to " + Text.number(limits.maxValues()) + " keywords";
                }
                + ", or leave the field out";
        counted(filter.field(), items, accepted);
        List<String> values =
                switch (filter.kind()) {
                    case CHOICE -> choices(filter, items.values());
                    case INTEGER -> integers(filter.field(), items.values());
                    case KEYWORD -> names(filter.field(), EntityField.Kind.KEYWORD, items.values());
                };
        if (problems.none()) {
            problems.duplicates(filter.field(), items.given() - values.size());
        }
        return values;
    }

    private void counted(String field, RawRequest.Items items, String accepted) {
        if (items.empty()) {
            problems.error(field, "names nothing" + accepted);
        }
        if (items.cut()) {
            problems.error(field, "names more than " + Text.number(limits.maxValues()) + accepted);
        }
    }

    private List<String> names(String field, EntityField.Kind kind, SequencedSet<String> values) {
        wrong(field, kind, values);
        List<String> sorted = new ArrayList<>(values);
        sorted.sort(Text.UTF8);
        return sorted;
    }

    private void wrong(String field, EntityField.Kind kind, SequencedSet<String> values) {
        for (String value : values) {
            EntityRules.problem(kind, value).ifPresent(p -> problems.error(field, () -> Text.quoted(value) + " " + p));
        }
    }

    private List<String> choices(Filter filter, SequencedSet<String> values) {
        var chosen = new TreeSet<String>(Text.UTF8);
        for (String value : values) {
            filter.values().stream()
                    .filter(allowed -> Text.lower(allowed).equals(value.toLowerCase(Locale.ROOT)))
                    .findFirst()
                    .ifPresentOrElse(
                            chosen::add,
                            () -> problems.error(
                                    filter.field(),
                                    () -> Text.quoted(value) + " is not known"
                                            + Nearest.suggestion(value, filter.values()) + "; accepted: "
                                            + Text.list(filter.values())));
        }
        return List.copyOf(chosen);
    }

    private List<String> integers(String field, SequencedSet<String> values) {
        return values.stream()
                .map(BigInteger::new)
                .peek(n -> {
                    if (n.signum() < 0 || n.compareTo(LARGEST_INTEGER) > 0) {
                        problems.error(
                                field, () -> n + " is out of range; accepted: 0 to " + Text.number(Integer.MAX_VALUE));
                    }
                })
                .sorted(Comparator.naturalOrder())
                .map(String::valueOf)
                .toList();
    }
}
