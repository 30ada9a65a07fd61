package millrace.gateway.api.status;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.MediaType;
import io.micronaut.http.server.types.files.StreamedFile;
import jakarta.inject.Singleton;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import millrace.catalog.Catalog;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.dataset.DatasetFilter;
import millrace.contracts.Json;
import millrace.contracts.commands.AccountCommand.RequestReport;
import millrace.contracts.requests.EntityList;
import millrace.contracts.requests.FilterList;
import millrace.contracts.requests.Granularity;
import millrace.contracts.requests.ReportQuery;
import millrace.contracts.requests.ReportRequest;
import millrace.files.EntityLists;
import millrace.files.store.ReportStore;
import millrace.gateway.copy.reports.ReportView;
import millrace.gateway.server.JsonResponses;
import millrace.gateway.server.body.ChunkedStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers with a request as it was accepted: the fields of the request body, and {@code dataset}
 * from its path.
 */
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

    /**
     * Empty where the request is not at its known position any more. Blocks.
     *
     * @param more fields that come after those of the request
     */
    Optional<HttpResponse<?>> of(ReportView report, Map<String, Object> more) {
        Optional<RequestReport> found = report.request()
                .flatMap(position ->
                        lookup.read(report.accountId(), report.cursor().reportId(), position));
        if (found.isEmpty()) {
            return Optional.empty();
        }
        Map<String, Object> body = body(report, found.get().request());
        body.putAll(more);
        return body.values().stream().anyMatch(ListFile.class::isInstance)
                ? streamed(body)
                : Optional.of(JsonResponses.ok(body));
    }

    /** A list of values that lies in the report store. */
    private record ListFile(ListOpener opener, boolean integers) {}

    @FunctionalInterface
    private interface ListOpener {
        BufferedReader open() throws IOException;
    }

    /** Streams the lists, which may have a million entities. */
    private static Optional<HttpResponse<?>> streamed(Map<String, Object> body) {
        List<InputStream> parts = new ArrayList<>();
        var text = new StringBuilder();
        try {
            for (var field : body.entrySet()) {
                text.append(text.isEmpty() && parts.isEmpty() ? "{" : ",")
                        .append(Json.text(field.getKey()))
                        .append(':');
                if (field.getValue() instanceof ListFile list) {
                    parts.add(text(text.append('[').toString()));
                    parts.add(new JsonArrayStream(list.opener().open(), list.integers()));
                    text = new StringBuilder("]");
                } else {
                    text.append(Json.text(field.getValue()));
                }
            }
        } catch (IOException e) {
            LOG.warn("reading the lists of a request failed error={}", e.toString());
            parts.forEach(AcceptedRequests::close);
            return Optional.empty();
        }
        parts.add(text(text.append('}').toString()));
        var all = new SequenceInputStream(Collections.enumeration(parts));
        return Optional.of(HttpResponse.ok(new StreamedFile(all, MediaType.APPLICATION_JSON_TYPE)));
    }

    private static void close(InputStream part) {
        try {
            part.close();
        } catch (IOException e) {
            LOG.debug("closing a list of a request failed", e);
        }
    }

    private static InputStream text(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    private Map<String, Object> body(ReportView report, ReportRequest request) {
        ReportQuery q = request.query();
        Optional<Dataset> dataset = catalog.dataset(q.dataset());
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("dataset", q.dataset());
        EntityList entities = q.entityList();
        String file = EntityList.fileName(report.accountId(), report.cursor().reportId());
        body.put(
                dataset.map(d -> d.entity().field()).orElse("entities"),
                entities == null ? q.entities() : new ListFile(() -> EntityLists.open(store, file, entities), false));
        body.put("countries", q.countries());
        body.put("metrics", q.metrics());
        body.put("start_date", date(q.dates().first(), q.dates().granularity()));
        body.put("end_date", date(q.dates().last(), q.dates().granularity()));
        body.put("granularity", q.dates().granularity().word());
        q.filters().keySet().forEach(column -> filter(report, q, column, body));
        if (dataset.map(Dataset::hasSubdomains).orElse(false)) {
            body.put("subdomains", q.subdomains());
        }
        putIfPresent(body, "limit", Optional.ofNullable(q.limit()));
        putIfPresent(body, "offset", Optional.ofNullable(q.offset()));
        ReportQuery.Split split = q.split();
        if (split != null) {
            putIfPresent(body, "split", Optional.ofNullable(split.maxRows()).map(rows -> Map.of("max_rows", rows)));
            putIfPresent(body, "num_of_files", Optional.ofNullable(split.numOfFiles()));
        }
        body.put("delivery_method", q.output().deliveryMethod());
        body.put("response_format", q.output().responseFormat());
        body.put("compression", q.output().fileFormat().compression().word());
        body.put("csv_safety", q.output().csvSafety());
        putIfPresent(body, "webhook_url", Optional.ofNullable(request.webhookUrl()));
        putIfPresent(body, "max_credits", Optional.ofNullable(request.maxCredits()));
        putIfPresent(body, "report_name", Optional.ofNullable(request.reportName()));
        putIfPresent(body, "tags", Optional.ofNullable(request.tags()));
        putIfPresent(body, "retention_days", Optional.ofNullable(request.retentionDays()));
        return body;
    }

    private void filter(ReportView report, ReportQuery query, String column, Map<String, Object> body) {
        Optional<DatasetFilter> filter = catalog.dataset(query.dataset()).stream()
                .flatMap(d -> d.filters().stream())
                .filter(f -> f.column().equals(column))
                .findFirst();
        boolean integers =
                filter.filter(f -> f.kind() == DatasetFilter.Kind.INTEGER).isPresent();
        FilterList list = query.filterList(column);
        String field = filter.map(DatasetFilter::field).orElse(column);
        if (list != null) {
            String file =
                    FilterList.fileName(report.accountId(), report.cursor().reportId(), column);
            body.put(field, new ListFile(() -> EntityLists.open(store, file, list), integers));
            return;
        }
        List<String> values = query.filters().getOrDefault(column, List.of());
        body.put(field, integers ? values.stream().map(Integer::valueOf).toList() : values);
    }

    private static void putIfPresent(Map<String, Object> body, String field, Optional<?> value) {
        value.ifPresent(v -> body.put(field, v));
    }

    private static String date(LocalDate day, Granularity granularity) {
        return granularity == Granularity.MONTHLY ? YearMonth.from(day).toString() : day.toString();
    }

    /**
     * Converts the lines of a text to the elements of a JSON array, without its brackets, while it is
     * read.
     */
    private static final class JsonArrayStream extends ChunkedStream {
        private static final int CHUNK = 1 << 14;

        private final JsonStringEncoder json = JsonStringEncoder.getInstance();
        private final BufferedReader lines;
        private final String quote;
        private boolean first = true;

        /** @param integers whether the lines are numbers, which are not quoted */
        JsonArrayStream(BufferedReader lines, boolean integers) {
            this.lines = lines;
            this.quote = integers ? "" : "\"";
        }

        @Override
        public void close() throws IOException {
            lines.close();
        }

        @Override
        protected byte[] nextChunk() throws IOException {
            var next = new ByteArrayOutputStream(CHUNK);
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                next.writeBytes(((first ? "" : ",") + quote).getBytes(StandardCharsets.UTF_8));
                next.writeBytes(json.quoteAsUTF8(line));
                next.writeBytes(quote.getBytes(StandardCharsets.UTF_8));
                first = false;
                if (next.size() >= CHUNK) {
                    break;
                }
            }
            return next.toByteArray();
        }
    }
}
