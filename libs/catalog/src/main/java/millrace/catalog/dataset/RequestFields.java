package millrace.catalog.dataset;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The fields that a request for a dataset may have. */
public final class RequestFields {
    public static final String COUNTRIES = "countries";
    public static final String METRICS = "metrics";
    public static final String START_DATE = "start_date";
    public static final String END_DATE = "end_date";
    public static final String GRANULARITY = "granularity";
    public static final String SUBDOMAINS = "subdomains";
    public static final String LIMIT = "limit";
    public static final String OFFSET = "offset";
    public static final String SPLIT = "split";
    public static final String MAX_ROWS = "max_rows";
    public static final String NUM_OF_FILES = "num_of_files";
    public static final String DELIVERY_METHOD = "delivery_method";
    public static final String RESPONSE_FORMAT = "response_format";
    public static final String COMPRESSION = "compression";
    public static final String CSV_SAFETY = "csv_safety";
    public static final String WEBHOOK_URL = "webhook_url";
    public static final String MAX_CREDITS = "max_credits";
    public static final String QUOTE = "quote";
    public static final String REPORT_NAME = "report_name";
    public static final String TAGS = "tags";
    public static final String RETENTION_DAYS = "retention_days";
    public static final String LATEST = "latest";
    public static final String WINDOW_SIZE = "window_size";
    public static final String ALL_HISTORY = "all_history";
    public static final String SORT = "sort";
    public static final String SORT_ASC = "sort_asc";
    public static final String FILTERS = "filters";
    public static final List<String> SUBDOMAINS_SPELLINGS = List.of(SUBDOMAINS, "include_subdomains");

    private static final List<RequestField> EVERYWHERE = List.of(
            new RequestField(COUNTRIES, List.of(COUNTRIES), RequestField.Kind.TEXTS, true),
            RequestField.top(METRICS, RequestField.Kind.TEXTS),
            RequestField.top(START_DATE, RequestField.Kind.TEXT),
            RequestField.top(END_DATE, RequestField.Kind.TEXT),
            RequestField.top(GRANULARITY, RequestField.Kind.TEXT),
            RequestField.top(LIMIT, RequestField.Kind.INTEGER),
            RequestField.top(OFFSET, RequestField.Kind.INTEGER),
            RequestField.top(SPLIT, RequestField.Kind.SPLIT),
            RequestField.top(NUM_OF_FILES, RequestField.Kind.INTEGER),
            RequestField.top(DELIVERY_METHOD, RequestField.Kind.TEXT),
            RequestField.top(RESPONSE_FORMAT, RequestField.Kind.TEXT),
            RequestField.top(COMPRESSION, RequestField.Kind.TEXT),
            RequestField.top(CSV_SAFETY, RequestField.Kind.TEXT),
            RequestField.top(WEBHOOK_URL, RequestField.Kind.TEXT),
            RequestField.top(MAX_CREDITS, RequestField.Kind.INTEGER),
            RequestField.top(QUOTE, RequestField.Kind.TEXT),
            RequestField.top(REPORT_NAME, RequestField.Kind.TEXT),
            RequestField.top(TAGS, RequestField.Kind.TAGS),
            RequestField.top(RETENTION_DAYS, RequestField.Kind.INTEGER),
            RequestField.top(LATEST, RequestField.Kind.FLAG),
            RequestField.top(WINDOW_SIZE, RequestField.Kind.TEXT),
            RequestField.top(ALL_HISTORY, RequestField.Kind.FLAG),
            RequestField.top(SORT, RequestField.Kind.TEXT),
            RequestField.top(SORT_ASC, RequestField.Kind.FLAG));

    /** Names that a dataset's own fields must not have. */
    static final Set<String> COMMON = common();

    private final Map<String, RequestField> bySpelling = new LinkedHashMap<>();

    private RequestFields(List<RequestField> fields) {
        fields.forEach(f -> f.spellings().forEach(s -> bySpelling.put(s, f)));
    }

    public static RequestFields of(Dataset dataset) {
        List<RequestField> fields = new ArrayList<>();
        String entity = dataset.entity().field();
        RequestField.Kind entities =
                switch (dataset.entity().kind()) {
                    case DOMAIN -> RequestField.Kind.DOMAINS;
                    case KEYWORD -> RequestField.Kind.KEYWORDS;
                };
        fields.add(new RequestField(entity, List.of(entity), entities, true));
        for (DatasetFilter filter : dataset.filters()) {
            RequestField.Kind kind =
                    switch (filter.kind()) {
                        case CHOICE -> RequestField.Kind.TEXTS;
                        case INTEGER -> RequestField.Kind.INTEGERS;
                        case KEYWORD -> RequestField.Kind.KEYWORDS;
                    };
            fields.add(new RequestField(filter.field(), filter.spellings(), kind, true));
        }
        if (dataset.hasSubdomains()) {
            fields.add(new RequestField(SUBDOMAINS, SUBDOMAINS_SPELLINGS, RequestField.Kind.FLAG, true));
        }
        fields.addAll(EVERYWHERE);
        return new RequestFields(fields);
    }

    @Nullable
    public RequestField named(String spelling) {
        return bySpelling.get(spelling);
    }

    /** Every spelling at the top level, or inside {@code filters}. */
    public List<String> spellings(boolean insideFilters) {
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
