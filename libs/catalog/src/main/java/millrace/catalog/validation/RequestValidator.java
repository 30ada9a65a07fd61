package millrace.catalog.validation;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import millrace.catalog.access.Entitlements;
import millrace.catalog.dataset.Dataset;
import millrace.catalog.dataset.DatasetMetric;
import millrace.catalog.dataset.RequestFields;
import millrace.catalog.report.ReportEstimate;
import millrace.catalog.text.SortedTextSet;
import millrace.catalog.text.Text;
import millrace.catalog.validation.RequestedValues.RequestedFilters;
import millrace.contracts.accounts.Quote;
import millrace.contracts.requests.ApiDialect;
import millrace.contracts.requests.EntityList;
import millrace.contracts.requests.ReportQuery;
import millrace.contracts.requests.ReportRequest;
import org.jspecify.annotations.Nullable;

/** Reads and checks request bodies. Safe for use by many threads. */
public final class RequestValidator {
    private final RequestLimits limits;
    /** Fields by the name of the dataset. */
    private final Map<String, RequestFields> fields = new ConcurrentHashMap<>();

    public RequestValidator(RequestLimits limits) {
        this.limits = limits;
    }

    /**
     * Checks a body. Never throws, whatever the bytes are; a stream that fails is an invalid
     * request.
     *
     * @param json the body, read once; memory grows with its entities and filter values only
     */
    public CheckedRequest validate(Dataset dataset, InputStream json, RequestContext context) {
        var problems = new RequestProblems(context.sent());
        RequestFields known = fields.computeIfAbsent(dataset.name(), name -> RequestFields.of(dataset));
        Optional<RawRequest> raw = RequestReader.read(dataset, known, json, limits, problems);
        if (raw.isEmpty()) {
            return problems.invalid();
        }
        SortedTextSet entities = new RequestedValues(limits, raw.get(), problems).entities(dataset.entity());
        var split = new RequestedSplit(raw.get(), problems);
        Optional<Draft> draft = request(dataset, raw.get(), context, problems);
        if (draft.isEmpty() || !problems.none()) {
            split.check();
            return problems.invalid();
        }
        ReportRequest whole = draft.get().with(entities);
        Quote quote = estimate(dataset, whole.query(), problems);
        ReportRequest request = whole.withQuery(split.addTo(whole.query(), dataset));
        boolean listed = request.query().entityList() != null;
        return problems.none()
                ? new CheckedRequest.Valid(
                        request,
                        quote,
                        problems.warnings(),
                        problems.changes(),
                        listed ? entities : null,
                        draft.get().filters().lists(),
                        raw.get().text(RequestFields.QUOTE).orElse(null),
                        draft.get().openEnd())
                : problems.invalid();
    }

    /** As {@link #validate(Dataset, InputStream, RequestContext)}, for a body of v3 in memory. */
    public CheckedRequest validate(Dataset dataset, byte[] json, Entitlements entitlements, ApiDialect dialect) {
        return validate(dataset, new ByteArrayInputStream(json), RequestContext.of(entitlements, dialect));
    }

    /** @param request without entities and filters */
    private record Draft(ReportRequest request, RequestedFilters filters, CheckedRequest.@Nullable OpenEnd openEnd) {
        /** Adds entities and filters; long ones go into lists of their own. */
        ReportRequest with(SortedTextSet entities) {
            ReportQuery query = filters.addTo(request.query());
            return request.withQuery(
                    entities.bytes() <= EntityList.MOST_INLINE_BYTES
                            ? query.withEntities(entities.first(entities.size()))
                            : query.with(entities.first(EntityList.SHOWN), entities.list()));
        }
    }

    /**
     * Everything but the entities. Empty, with an error, where a part is missing that every query
     * needs.
     */
    private Optional<Draft> request(Dataset dataset, RawRequest raw, RequestContext context, RequestProblems problems) {
        var values = new RequestedValues(limits, raw, problems);
        RequestedMetrics metrics = RequestedMetrics.of(dataset, raw, context.entitlements(), problems);
        List<String> countries = RequestedCountries.of(dataset, raw, metrics, context.entitlements(), problems);
        Optional<RequestedDates.Range> range = new RequestedDates(raw, context, problems).of(metrics);
        RequestedFilters filters = values.filters(dataset);
        var delivery = new RequestedOutput(raw, problems);
        var output = delivery.output();
        delivery.checkOrder(dataset);
        Integer limit = delivery.limit();
        Integer offset = delivery.offset();
        String webhookUrl = delivery.webhookUrl();
        Long maxCredits = delivery.maxCredits();
        String reportName = delivery.reportName();
        Integer retentionDays = delivery.retentionDays();
        Map<String, String> tags = RequestedTags.read(raw, problems);
        return range.map(r -> {
            var query = new ReportQuery(
                            dataset.name(),
                            List.of(),
                            countries,
                            metrics.metrics().stream().map(DatasetMetric::name).toList(),
                            r.dates(),
                            Map.of(),
                            raw.flag(RequestFields.SUBDOMAINS),
                            limit,
                            output)
                    .withOffset(offset);
            var request = new ReportRequest(
                    query, webhookUrl, maxCredits, context.dialect(), reportName, retentionDays, tags);
            return new Draft(request, filters, r.openEnd());
        });
    }

    private static Quote estimate(Dataset dataset, ReportQuery query, RequestProblems problems) {
        Quote quote = ReportEstimate.quote(dataset, query);
        if (ReportEstimate.isCutOff(quote, query)) {
            problems.error(
                    dataset.entity().field(),
                    "with these countries, dates and metrics the report could have "
                            + Text.number(ReportEstimate.MAX_ROWS)
                            + " results or more; accepted: fewer of them, or a limit");
            return quote;
        }
        if (dataset.openRows(query)) {
            problems.warning(
                    "estimate",
                    "the number of rows is open; it counts the most there can be, "
                            + Text.number(ReportEstimate.rowCap(dataset, query))
                            + " per entity, country and period, so the real charge may be lower");
        }
        return quote;
    }
}
