package millrace.gateway.api.documents;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.List;
import java.util.Optional;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.dataset.DatasetFilter;
import millrace.catalog.dataset.DatasetMetric;
import millrace.catalog.dataset.EntityField;
import millrace.contracts.Json;
import millrace.contracts.requests.Granularity;
import millrace.contracts.requests.ReportQuery;

/** Makes a valid request for a dataset, for the documentation. */
final class ExampleRequest {
    private static final int METRICS = 2;
    private static final int DAYS = 14;

    private ExampleRequest() {}

    /**
     * The query as a request; a made-up one where there is none or where it does not fit this
     * gateway's catalog.
     *
     * @param today see {@link #of(Dataset, LocalDate)}
     */
    static ObjectNode of(Dataset dataset, Optional<ReportQuery> found, LocalDate today) {
        return found.filter(query -> fits(dataset, query))
                .map(query -> request(dataset, query))
                .orElseGet(() -> of(dataset, today));
    }

    private static boolean fits(Dataset dataset, ReportQuery query) {
        return query.metrics().stream().allMatch(m -> dataset.metric(m).isPresent())
                && query.filters().keySet().stream().allMatch(column -> dataset.filters().stream()
                        .anyMatch(f -> f.kind() == DatasetFilter.Kind.CHOICE
                                && f.column().equals(column)));
    }

    private static ObjectNode request(Dataset dataset, ReportQuery query) {
        ObjectNode request = Json.MAPPER.createObjectNode();
        texts(request, dataset.entity().field(), query.entities());
        texts(request, "countries", query.countries());
        for (DatasetFilter filter : dataset.filters()) {
            List<String> values = query.filters().get(filter.column());
            if (values != null) {
                texts(request, filter.field(), values);
            }
        }
        texts(request, "metrics", query.metrics());
        ReportQuery.Dates dates = query.dates();
        boolean months = dates.granularity() == Granularity.MONTHLY;
        request.put(
                "start_date",
                months
                        ? YearMonth.from(dates.first()).toString()
                        : dates.first().toString());
        request.put(
                "end_date",
                months ? YearMonth.from(dates.last()).toString() : dates.last().toString());
        request.put("granularity", dates.granularity().word());
        if (dataset.hasSubdomains()) {
            request.put("subdomains", query.subdomains());
        }
        return request.put("delivery_method", "download_link").put("response_format", "csv");
    }

    private static void texts(ObjectNode request, String field, List<String> values) {
        ArrayNode array = request.putArray(field);
        values.forEach(array::add);
    }

    /** @param today the request asks for periods that ended before it, some weeks or months ago */
    public static ObjectNode of(Dataset dataset, LocalDate today) {
        DatasetMetric first = dataset.metrics().getFirst();
        Granularity granularity = first.granularities().getFirst();
        ObjectNode example = Json.MAPPER.createObjectNode();
        ArrayNode entities = example.putArray(dataset.entity().field());
        switch (dataset.entity().kind()) {
            case DOMAIN -> entities.add("example.com").add("example.org");
            case KEYWORD -> entities.add("running shoes").add("trail shoes");
        }
        example.putArray("countries").add("US");
        dataset.filters().stream()
                .filter(f -> f.kind() == DatasetFilter.Kind.CHOICE)
                .filter(f ->
                        dataset.metrics().stream().noneMatch(m -> m.without().contains(f.field())))
                .forEach(f -> example.putArray(f.field()).add(f.values().getFirst()));
        ArrayNode metrics = example.putArray("metrics");
        dataset.metrics().stream()
                .filter(m -> m.granularities().contains(granularity))
                .limit(METRICS)
                .forEach(m -> metrics.add(m.name()));
        dates(example, granularity, today);
        example.put("granularity", granularity.word());
        if (dataset.entity().kind() == EntityField.Kind.DOMAIN) {
            example.put("subdomains", false);
        }
        return example.put("delivery_method", "download_link").put("response_format", "csv");
    }

    private static void dates(ObjectNode example, Granularity granularity, LocalDate today) {
        YearMonth lastMonth = YearMonth.from(today).minusMonths(2);
        LocalDate lastDay = today.minusDays(DAYS);
        switch (granularity) {
            case MONTHLY ->
                example.put("start_date", lastMonth.minusMonths(2).toString()).put("end_date", lastMonth.toString());
            case DAILY, WEEKLY, SEVEN_DAYS ->
                example.put("start_date", lastDay.minusDays(DAYS).toString()).put("end_date", lastDay.toString());
        }
    }
}
