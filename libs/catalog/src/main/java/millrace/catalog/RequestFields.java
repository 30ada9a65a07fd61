package millrace.catalog;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The fields that a request for a dataset can have. */
final class RequestFields {
    static final String COUNTRIES = "countries";
    static final String METRICS = "metrics";
    static final String START_DATE = "start_date";
    static final String END_DATE = "end_date";
    static final String GRANULARITY = "granularity";
    static final String SUBDOMAINS = "subdomains";
    static final String LIMIT = "limit";
    static final String DELIVERY_METHOD = "delivery_method";
    static final String RESPONSE_FORMAT = "response_format";
    static final String CSV_SAFETY = "csv_safety";
    static final String WEBHOOK_URL = "webhook_url";
    static final String MAX_CREDITS = "max_credits";
    static final String FILTERS = "filters";
    static final List<String> SUBDOMAINS_SPELLINGS = List.of(SUBDOMAINS, "include_subdomains");

    private static final List<RequestField> EVERYWHERE = List.of(
            new RequestField(COUNTRIES, List.of(COUNTRIES), RequestField.Kind.TEXTS, true),
            new RequestField(METRICS, List.of(METRICS), RequestField.Kind.TEXTS, false),
            new RequestField(START_DATE, List.of(START_DATE), RequestField.Kind.TEXT, false),
            new RequestField(END_DATE, List.of(END_DATE), RequestField.Kind.TEXT, false),
            new RequestField(GRANULARITY, List.of(GRANULARITY), RequestField.Kind.TEXT, false),
            new RequestField(LIMIT, List.of(LIMIT), RequestField.Kind.INTEGER, false),
            new RequestField(DELIVERY_METHOD, List.of(DELIVERY_METHOD), RequestField.Kind.TEXT, false),
            new RequestField(RESPONSE_FORMAT, List.of(RESPONSE_FORMAT), RequestField.Kind.TEXT, false),
            new RequestField(CSV_SAFETY, List.of(CSV_SAFETY), RequestField.Kind.TEXT, false),
            new RequestField(WEBHOOK_URL, List.of(WEBHOOK_URL), RequestField.Kind.TEXT, false),
            new RequestField(MAX_CREDITS, List.of(MAX_CREDITS), RequestField.Kind.INTEGER, false));

    /** Names that a dataset's own fields cannot have. */
    static final Set<String> COMMON = common();

    private final Map<String, RequestField> bySpelling = new LinkedHashMap<>();

    private RequestFields(List<RequestField> fields) {
        fields.forEach(f -> f.spellings().forEach(s -> bySpelling.put(s, f)));
    }

    static RequestFields of(Dataset dataset) {
        List<RequestField> fields = new ArrayList<>();
        String entity = dataset.entity().field();
        fields.add(new RequestField(entity, List.of(entity), RequestField.Kind.TEXTS, true));
        for (Filter filter : dataset.filters()) {
            RequestField.Kind kind =
                    filter.kind() == Filter.Kind.INTEGER ? RequestField.Kind.INTEGERS : RequestField.Kind.TEXTS;
            fields.add(new RequestField(filter.field(), filter.spellings(), kind, true));
        }
        if (dataset.hasSubdomains()) {
            fields.add(new RequestField(SUBDOMAINS, SUBDOMAINS_SPELLINGS, RequestField.Kind.FLAG, true));
        }
        fields.addAll(EVERYWHERE);
        return new RequestFields(fields);
    }

    @Nullable
    RequestField named(String spelling) {
        return bySpelling.get(spelling);
    }

    /** Every spelling that may stand at the top level, or inside {@code filters}. */
    List<String> spellings(boolean insideFilters) {
        List<String> names = new ArrayList<>(bySpelling.entrySet().stream()
                .filter(e -> !insideFilters || e.getValue().inFilters())
                .map(Map.Entry::getKey)
                .toList());
        if (!insideFilters) {
            names.add(FILTERS);
        }
        return names;
    }

    private static Set<String> common() {
        Set<String> names = new HashSet<>(SUBDOMAINS_SPELLINGS);
        EVERYWHERE.forEach(f -> names.addAll(f.spellings()));
        names.add(FILTERS);
        return Set.copyOf(names);
    }
}
