package millrace.catalog.validation;

import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.dataset.DatasetFilter;
import millrace.catalog.dataset.EntityField;
import millrace.catalog.dataset.EntityRules;
import millrace.catalog.dataset.RequestField;
import millrace.catalog.text.NearestName;
import millrace.catalog.text.SortedTextSet;
import millrace.catalog.text.Text;
import millrace.contracts.requests.EntityList;
import millrace.contracts.requests.FilterList;
import millrace.contracts.requests.ReportQuery;

/** Reads the entities and filters of a request: distinct and sorted. */
final class RequestedValues {
    private static final int MOST_DIGITS = 10;
    private static final String OR_NONE = ", or leave the field out";

    /**
     * The filters of a request, by column.
     *
     * @param values in the query: all values, or the first of those that have a list
     * @param lists values that are too many for the query
     */
    record RequestedFilters(Map<String, List<String>> values, Map<String, SortedTextSet> lists) {
        ReportQuery addTo(ReportQuery query) {
            var described = new TreeMap<String, FilterList>();
            lists.forEach((column, texts) -> described.put(column, texts.filterList()));
            return query.withFilters(Collections.unmodifiableMap(values), described.isEmpty() ? null : described);
        }
    }

    private final RequestLimits limits;
    private final RawRequest raw;
    private final RequestProblems problems;

    RequestedValues(RequestLimits limits, RawRequest raw, RequestProblems problems) {
        this.limits = limits;
        this.raw = raw;
        this.problems = problems;
    }

    SortedTextSet entities(EntityField entity) {
        Supplier<String> accepted = () -> "; accepted: 1 to " + Text.number(limits.maxEntities()) + " of them, each "
                + switch (entity.kind()) {
                    case DOMAIN -> EntityRules.HOST_WORDS;
                    case KEYWORD -> EntityRules.KEYWORD_WORDS;
                };
        if (!raw.has(entity.field())) {
            problems.error(entity.field(), "is missing" + accepted.get());
        }
        Optional<RawRequest.Many> found = raw.many(entity.field());
        if (found.isEmpty()) {
            return new SortedTextSet(limits.maxEntities());
        }
        RawRequest.Many entities = found.get();
        many(entity.field(), entities, limits.maxEntities(), accepted);
        return entities.texts();
    }

    private void many(String field, RawRequest.Many many, int most, Supplier<String> accepted) {
        if (many.empty()) {
            problems.error(field, "names nothing" + accepted.get());
        }
        if (many.texts().cut()) {
            problems.error(field, "names more than " + Text.number(most) + accepted.get());
        } else if (many.wrong().isEmpty()) {
            problems.duplicates(field, many.given() - many.texts().size());
        }
        for (String value : many.wrong()) {
            problem(many.kind(), value).ifPresent(p -> problems.error(field, () -> p));
        }
        problems.more(many.moreWrong());
    }

    /** The filters that the request names. */
    RequestedFilters filters(Dataset dataset) {
        var values = new TreeMap<String, List<String>>();
        var lists = new TreeMap<String, SortedTextSet>();
        for (DatasetFilter filter : dataset.filters()) {
            if (filter.kind() == DatasetFilter.Kind.CHOICE) {
                raw.items(filter.field()).ifPresent(items -> values.put(filter.column(), choices(filter, items)));
            } else {
                raw.many(filter.field()).ifPresent(many -> {
                    SortedTextSet texts = checked(filter, many);
                    values.put(filter.column(), shown(filter, texts));
                    if (isLong(texts)) {
                        lists.put(filter.column(), texts);
                    }
                });
            }
        }
        return new RequestedFilters(values, lists);
    }

    private static boolean isLong(SortedTextSet texts) {
        return texts.bytes() > FilterList.MOST_INLINE_BYTES;
    }

    /** The values that the query contains. */
    private static List<String> shown(DatasetFilter filter, SortedTextSet texts) {
        List<String> shown = texts.first(isLong(texts) ? EntityList.SHOWN : texts.size());
        if (filter.kind() == DatasetFilter.Kind.INTEGER) {
            shown.sort(Comparator.comparingInt(Integer::parseInt));
        }
        return shown;
    }

    private SortedTextSet checked(DatasetFilter filter, RawRequest.Many many) {
        Supplier<String> accepted = () -> "; accepted: 1 to " + Text.number(limits.maxValues())
                + (filter.kind() == DatasetFilter.Kind.INTEGER ? " integers" : " keywords") + OR_NONE;
        many(filter.field(), many, limits.maxValues(), accepted);
        if (many.texts().bytes() > FilterList.MOST_BYTES) {
            problems.error(
                    filter.field(),
                    "has " + Text.number(many.texts().bytes()) + " bytes in all; accepted: at most "
                            + Text.number(FilterList.MOST_BYTES) + OR_NONE);
        }
        return many.texts();
    }

    private List<String> choices(DatasetFilter filter, RawRequest.Items items) {
        String accepted = "; accepted: one or more of " + Text.list(filter.values()) + OR_NONE;
        if (items.empty()) {
            problems.error(filter.field(), "names nothing" + accepted);
        }
        if (items.cut()) {
            problems.error(filter.field(), "names more than " + Text.number(RequestLimits.MOST_NAMES) + accepted);
        }
        var chosen = new TreeSet<String>(Text.UTF8);
        for (String value : items.values()) {
            filter.values().stream()
                    .filter(allowed -> Text.lower(allowed).equals(value.toLowerCase(Locale.ROOT)))
                    .findFirst()
                    .ifPresentOrElse(
                            chosen::add,
                            () -> problems.error(
                                    filter.field(),
                                    () -> Text.quoted(value) + " is not known"
                                            + NearestName.suggestion(value, filter.values()) + "; accepted: "
                                            + Text.list(filter.values())));
        }
        if (problems.none()) {
            problems.duplicates(filter.field(), items.given() - chosen.size());
        }
        return List.copyOf(chosen);
    }

    /** A sentence about an invalid value of a possibly very long list; empty where it is valid. */
    static Optional<String> problem(RequestField.Kind kind, String value) {
        return switch (kind) {
            case DOMAINS -> problem(EntityField.Kind.DOMAIN, value);
            case KEYWORDS -> problem(EntityField.Kind.KEYWORD, value);
            case INTEGERS ->
                isInRange(value)
                        ? Optional.empty()
                        : Optional.of(value + " is out of range; accepted: 0 to " + Text.number(Integer.MAX_VALUE));
            case TEXT, TEXTS, TAGS, SPLIT, INTEGER, FLAG ->
                throw new IllegalArgumentException(kind + " is no list of many");
        };
    }

    private static Optional<String> problem(EntityField.Kind kind, String value) {
        return EntityRules.problem(kind, value).map(p -> Text.quoted(value) + " " + p);
    }

    private static boolean isInRange(String integer) {
        return integer.length() <= MOST_DIGITS
                && Long.parseLong(integer) >= 0
                && Long.parseLong(integer) <= Integer.MAX_VALUE;
    }
}
