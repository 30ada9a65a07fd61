package millrace.gateway.http;

import jakarta.inject.Singleton;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import millrace.catalog.Catalog;
import millrace.catalog.Dataset;
import millrace.catalog.Filter;
import millrace.contracts.AccountCommand.RequestReport;
import millrace.contracts.Granularity;
import millrace.contracts.ReportQuery;
import millrace.contracts.ReportRequest;
import millrace.gateway.model.ReportView;
import millrace.gateway.model.RequestLookup;

/** Requests as they were accepted: the fields of a request body, and {@code dataset}, which a request has in its path. */
@Singleton
final class AcceptedRequests {
    private final RequestLookup lookup;
    private final Catalog catalog;

    AcceptedRequests(RequestLookup lookup, Catalog catalog) {
        this.lookup = lookup;
        this.catalog = catalog;
    }

    /** Empty where it is not where it was. Blocks. */
    Optional<Map<String, Object>> of(ReportView report) {
        return report.request()
                .flatMap(lookup::read)
                .map(RequestReport::request)
                .map(this::body);
    }

    private Map<String, Object> body(ReportRequest request) {
        ReportQuery q = request.query();
        Optional<Dataset> dataset = catalog.dataset(q.dataset());
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("dataset", q.dataset());
        body.put(dataset.map(d -> d.entity().field()).orElse("entities"), q.entities());
        body.put("countries", q.countries());
        body.put("metrics", q.metrics());
        body.put("start_date", date(q.dates().first(), q.dates().granularity()));
        body.put("end_date", date(q.dates().last(), q.dates().granularity()));
        body.put("granularity", q.dates().granularity().word());
        q.filters().forEach((column, values) -> filter(dataset, column, values, body));
        if (dataset.map(Dataset::hasSubdomains).orElse(false)) {
            body.put("subdomains", q.subdomains());
        }
        putIfThere(body, "limit", Optional.ofNullable(q.limit()));
        body.put("delivery_method", q.output().deliveryMethod());
        body.put("response_format", q.output().responseFormat());
        body.put("csv_safety", q.output().csvSafety());
        putIfThere(body, "webhook_url", Optional.ofNullable(request.webhookUrl()));
        putIfThere(body, "max_credits", Optional.ofNullable(request.maxCredits()));
        return body;
    }

    private static void filter(
            Optional<Dataset> dataset, String column, List<String> values, Map<String, Object> body) {
        Optional<Filter> filter = dataset.stream()
                .flatMap(d -> d.filters().stream())
                .filter(f -> f.column().equals(column))
                .findFirst();
        boolean integers = filter.filter(f -> f.kind() == Filter.Kind.INTEGER).isPresent();
        body.put(
                filter.map(Filter::field).orElse(column),
                integers ? values.stream().map(Integer::valueOf).toList() : values);
    }

    private static void putIfThere(Map<String, Object> body, String field, Optional<?> value) {
        value.ifPresent(v -> body.put(field, v));
    }

    private static String date(LocalDate day, Granularity granularity) {
        return granularity == Granularity.MONTHLY ? YearMonth.from(day).toString() : day.toString();
    }
}
