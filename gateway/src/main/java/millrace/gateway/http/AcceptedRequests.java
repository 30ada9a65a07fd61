package millrace.gateway.http;

import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.server.types.files.StreamedFile;
import jakarta.inject.Singleton;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
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
import millrace.contracts.EntityList;
import millrace.contracts.Granularity;
import millrace.contracts.Json;
import millrace.contracts.ReportQuery;
import millrace.contracts.ReportRequest;
import millrace.files.EntityLists;
import millrace.files.ReportStore;
import millrace.gateway.model.ReportView;
import millrace.gateway.model.RequestLookup;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Requests as they were accepted: the fields of a request body, and {@code dataset}, which a request has in its path. */
@Singleton
final class AcceptedRequests {
    private static final Logger LOG = LoggerFactory.getLogger(AcceptedRequests.class);

    private final RequestLookup lookup;
    private final Catalog catalog;
    private final ReportStore store;

    AcceptedRequests(RequestLookup lookup, Catalog catalog, ReportStore store) {
        this.lookup = lookup;
        this.catalog = catalog;
        this.store = store;
    }

    /** Empty where it is not where it was. Blocks. */
    Optional<HttpResponse<?>> of(ReportView report) {
        Optional<RequestReport> found = report.request().flatMap(lookup::read);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        ReportRequest request = found.get().request();
        ReportQuery query = request.query();
        Optional<Dataset> dataset = catalog.dataset(query.dataset());
        String field = dataset.map(d -> d.entity().field()).orElse("entities");
        Map<String, Object> head = new LinkedHashMap<>();
        head.put("dataset", query.dataset());
        Map<String, Object> tail = tail(request, dataset);
        EntityList list = query.entityList();
        if (list == null) {
            head.put(field, query.entities());
            head.putAll(tail);
            return Optional.of(Answers.ok(head));
        }
        String file = EntityList.fileName(report.accountId(), report.cursor().reportId());
        return streamed(Json.text(head), field, file, list, Json.text(tail));
    }

    /** A million entities are never in memory at once. */
    private Optional<HttpResponse<?>> streamed(String head, String field, String file, EntityList list, String tail) {
        try {
            var entities = new EntityArray(EntityLists.open(store, file, list));
            String start = head.substring(0, head.length() - 1) + ",\"" + field + "\":[";
            var body = new SequenceInputStream(
                    text(start), new SequenceInputStream(entities, text("]," + tail.substring(1))));
            return Optional.of(HttpResponse.ok(new StreamedFile(body, MediaType.APPLICATION_JSON_TYPE)));
        } catch (IOException e) {
            LOG.warn("the list of a request cannot be read: {}", e.toString());
            return Optional.empty();
        }
    }

    private static InputStream text(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    /** What comes after the entities. */
    private static Map<String, Object> tail(ReportRequest request, Optional<Dataset> dataset) {
        ReportQuery q = request.query();
        Map<String, Object> body = new LinkedHashMap<>();
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
        body.put("compression", q.output().fileFormat().compression().word());
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
